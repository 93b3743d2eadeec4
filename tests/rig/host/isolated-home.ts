import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A person's folders in a temporary place, and the environment that makes the host believe them. */
export type IsolatedHome = {
  root: string;
  project: string;
  /** The global config folder of opencode. */
  globalConfig: string;
  /** Where beckon keeps its journal and log. */
  beckonState: string;
  beckonConfig: string;
  env: Record<string, string>;
  remove(): void;
};

const inherited = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TERM",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SHELL",
  "SYSTEMROOT",
  "PYENV_VERSION",
];

/** With these two files the host believes its plugin package installed, and asks no registry. Source: contract 11. */
export function pretendInstalled(configFolder: string) {
  mkdirSync(join(configFolder, "node_modules"), { recursive: true });
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
  writeFileSync(join(configFolder, "package-lock.json"), JSON.stringify(lock));
}

/** No network, no configuration of the person who runs the tests, nothing left after `remove`. */
export function isolatedHome(): IsolatedHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "beckon-rig-")));
  const folder = (...names: string[]) => {
    const path = join(root, ...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const [config, state] = [folder("config"), folder("state")];
  const globalConfig = folder("config", "opencode");
  const project = folder("project");
  pretendInstalled(globalConfig);
  spawnSync("git", ["init", "-q", project], { stdio: "ignore" });
  const env: Record<string, string> = {
    HOME: folder("home"),
    XDG_CONFIG_HOME: config,
    XDG_DATA_HOME: folder("data"),
    XDG_CACHE_HOME: folder("cache"),
    XDG_STATE_HOME: state,
    XDG_RUNTIME_DIR: folder("run"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    root,
    project,
    globalConfig,
    beckonState: join(state, "opencode-beckon"),
    beckonConfig: join(config, "opencode-beckon", "config.json"),
    env,
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
