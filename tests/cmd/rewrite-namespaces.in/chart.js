const ns = "http://www.w3.org/2000/svg";
let icon = document.createElementNS('http://icons.example/ns', "icon");
icon.setAttributeNS("http://www.w3.org/1999/xlink", "href", "#a");
load("http://cdn.example/lib.js");
