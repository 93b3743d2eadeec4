export { default } from "./dist/tui/index.js";
