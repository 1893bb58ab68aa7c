export default {title: "Mill"};
