// `npm run picture`: docs/demo.svg, drawn from the real demo. `npm run picture -- --check` compares its text.
import { loadTypeScript } from "./rig/load-typescript.mjs";

const { main } = await loadTypeScript("tests/rig/picture/main.ts");
process.exitCode = await main(process.argv.slice(2));
