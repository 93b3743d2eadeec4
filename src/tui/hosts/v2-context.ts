import type { Renderer } from "./renderer.ts";

/**
 * The part of opencode 2.x's TUI context we touch; every member may be missing (the July alpha had no renderer).
 * Source: opencode 2.0.26.
 */
export type V2Context = {
  renderer?: Renderer;
  location?: V2Location;
  client?: { rpc?(contract: object): V2Calls };
  data?: {
    on?(type: string, listener: () => void): unknown;
    session?: {
      root?(sessionID: string): unknown;
      get?(sessionID: string): { location?: V2Location } | undefined;
    };
    location?: { default?(): V2Location | undefined };
  };
  keymap?: { layer?(make: () => { commands: readonly V2Command[] }): void };
  ui?: {
    router?: {
      /** A store of the host: words are copied out of it, the object is not kept. */
      current?(): { type?: string; sessionID?: unknown };
      navigate?(route: { type: "session"; sessionID: string }): void;
    };
    toast?: {
      show?(toast: { title?: string | undefined; message: string; variant?: string; duration?: number }): void;
    };
    slot?(slot: { append: string; render(): unknown }): unknown;
  };
};

export type V2Location = { directory: string; workspaceID?: string };

export type V2Calls = {
  report?(input: object, options: object): Promise<unknown>;
  gone?(input: object, options: object): Promise<unknown>;
  raised?(input: object, options: object): Promise<unknown>;
  ask?(input: object, options: object): Promise<unknown>;
  events?: { on?(name: string, listener: (event: unknown) => void): unknown };
};

export type V2Command = {
  id: string;
  title: string;
  group: string;
  palette: true;
  slash: { name: string };
  run(): void;
};
