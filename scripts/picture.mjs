// `npm run picture`: docs/demo.svg, drawn from the real demo.
import { loadTypeScript } from "./rig/load-typescript.mjs";

const { main } = await loadTypeScript("tests/rig/picture/main.ts");
await main();
