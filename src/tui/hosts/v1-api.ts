import type { Renderer } from "./renderer.ts";

/**
 * The part of opencode 1.18's TUI api we touch, as seen on 1.18.33; every member may be missing.
 * Components are called as functions: no JSX, no Solid.
 */
export type V1Api = {
  renderer?: Renderer;
  route?: {
    /** A getter; there is no event for it. */
    current?: { name?: string; params?: { sessionID?: unknown } };
    navigate?(name: string, params: object): void;
  };
  state?: { session?: { get?(sessionID: string): { parentID?: unknown } | undefined } };
  event?: { on?(type: string, listener: () => void): unknown };
  keymap?: { registerLayer?(layer: { commands: readonly V1Command[]; bindings: readonly never[] }): unknown };
  ui?: {
    toast?(toast: { title?: string | undefined; message: string; variant?: string; duration?: number }): void;
    dialog?: { replace?(render: () => unknown): void; clear?(): void };
    DialogAlert?(props: { title: string; message: string }): unknown;
    DialogSelect?(props: {
      title: string;
      options: readonly { title: string; value: number }[];
      onSelect(option: { value?: unknown }): void;
    }): unknown;
  };
  lifecycle?: { onDispose?(end: () => void): unknown };
};

/** `namespace: "palette"` shows it in the command palette, `slashName` behind a slash in the prompt. */
export type V1Command = {
  namespace: "palette";
  name: string;
  title: string;
  desc: string;
  category: string;
  slashName: string;
  run(): void;
};
