export default { baseUrl: '/project/' };
