import type {Config} from '@docusaurus/types';

const config: Config = {
  baseUrl: '/base/',
  trailingSlash: false,
  staticDirectories: ['public'],
  presets: [
    [
      'classic',
      {
        docs: {path: '../manual', routeBasePath: '/'},
        blog: {path: 'news', routeBasePath: 'news'},
      },
    ],
  ],
  plugins: [
    ['@docusaurus/plugin-content-docs', {id: 'api', path: 'api', routeBasePath: 'reference'}],
  ],
};

export default config;
