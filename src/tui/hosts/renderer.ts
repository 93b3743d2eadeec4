/**
 * The part of OpenTUI's renderer we touch; the same on both lines. Everything may be missing.
 * Source: @opentui/core 0.4 (opencode 1.18.33) as run, 0.5 (2.x) as documented.
 */
export type Renderer = {
  on?(event: RendererEvent, listener: () => void): unknown;
  off?(event: RendererEvent, listener: () => void): unknown;
  /** `focus_tracking`: the terminal said that it reports focus, and the host switched that on. */
  capabilities?: {
    focus_tracking?: boolean;
    terminal?: { name?: string; from_xtversion?: boolean };
  } | null;
  keyInput?: Emitter<"keypress" | "paste">;
  /** Sees every sequence before the renderer does; true would keep it from others. */
  prependInputHandler?(handler: (sequence: string) => boolean): void;
  removeInputHandler?(handler: (sequence: string) => boolean): void;
  stdin?: Emitter<"data">;
  controlState?: string;
  isDestroyed?: boolean;
  /** What the terminal told last, null before that. Private, so believed only where it makes us say less. */
  _terminalFocusState?: boolean | null;
  suspend?(...input: unknown[]): unknown;
  resume?(...input: unknown[]): unknown;
  /** Writes between two frames, never inside one. */
  writeOut?(text: string): unknown;
  triggerNotification?(message: string, title?: string): boolean;
};

type RendererEvent = "focus" | "blur" | "resize" | "capabilities" | "destroy";

type Emitter<E extends string> = {
  on?(event: E, listener: (input: unknown) => void): unknown;
  off?(event: E, listener: (input: unknown) => void): unknown;
};
