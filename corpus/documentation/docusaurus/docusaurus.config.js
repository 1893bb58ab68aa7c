export default { title: "Site" };
