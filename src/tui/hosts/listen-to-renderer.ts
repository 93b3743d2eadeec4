import { answering, guarded } from "../../shared/guard.ts";
import type { Happening } from "../focus-state.ts";
import { attempt } from "./attempt.ts";
import type { Renderer } from "./renderer.ts";

const esc = String.fromCharCode(27);
const focusIn = `${esc}[I`;
const focusOut = `${esc}[O`;
/** A button or a move, as every terminal of today sends it (mode 1006). */
const mouse = new RegExp(`${esc}\\[<\\d+;\\d+;\\d+[Mm]`);

type Ears = { renderer: Renderer; happened(happening: Happening): void };

/** Hears focus, keys, mouse, paste, resize, suspend and resume, each by itself: whatever is missing stays unheard. */
export function listenToRenderer(ears: Ears): () => void {
  const ends = [hearFocus(ears), hearSequences(ears), hearKeys(ears), hearMouse(ears), hearSuspension(ears)];
  return () => {
    for (const end of ends) attempt(end);
  };
}

function hearFocus({ renderer, happened }: Ears): () => void {
  const focus = guarded("focus", () => happened({ type: "focus" }));
  const blur = guarded("focus", () => happened({ type: "blur" }));
  const life = guarded("resize", () => happened({ type: "life" }));
  attempt(() => renderer.on?.("focus", focus));
  attempt(() => renderer.on?.("blur", blur));
  attempt(() => renderer.on?.("resize", life));
  if (attempt(() => renderer._terminalFocusState) === false) blur(); // it went while we were loaded
  return () => {
    renderer.off?.("focus", focus);
    renderer.off?.("blur", blur);
    renderer.off?.("resize", life);
  };
}

/** The renderer tells changes only; after a suspension it may believe what is no longer true. */
function hearSequences({ renderer, happened }: Ears): () => void {
  const handler = answering("sequence", false, (sequence: string) => {
    if (sequence === focusIn) happened({ type: "focus" });
    else if (sequence === focusOut) happened({ type: "blur" });
    return false;
  });
  attempt(() => renderer.prependInputHandler?.(handler));
  return () => renderer.removeInputHandler?.(handler);
}

function hearKeys({ renderer, happened }: Ears): () => void {
  const key = guarded("key", () => happened({ type: "key" }));
  const life = guarded("paste", () => happened({ type: "life" }));
  const keys = attempt(() => renderer.keyInput);
  attempt(() => keys?.on?.("keypress", key));
  attempt(() => keys?.on?.("paste", life));
  return () => {
    keys?.off?.("keypress", key);
    keys?.off?.("paste", life);
  };
}

/** The renderer keeps the mouse to itself, so the bytes are looked at. Only after it listens: a first listener would start the flow. */
function hearMouse({ renderer, happened }: Ears): () => void {
  const look = guarded("mouse", (chunk: unknown) => {
    if (mouse.test(String(chunk))) happened({ type: "life" });
  });
  const stdin = attempt(() => renderer.stdin);
  attempt(() => stdin?.on?.("data", look));
  return () => stdin?.off?.("data", look);
}

/** There is no event for it: the two methods are wrapped, and given back at the end. */
function hearSuspension({ renderer, happened }: Ears): () => void {
  const { suspend, resume } = renderer;
  if (typeof suspend !== "function" || typeof resume !== "function") return () => {};
  const leave = guarded("suspend", () => happened({ type: "suspend" }));
  const back = guarded("resume", () => happened({ type: "resume" }));
  const around = {
    suspend(...input: unknown[]) {
      leave();
      return suspend.apply(renderer, input);
    },
    resume(...input: unknown[]) {
      const result = resume.apply(renderer, input);
      if (result instanceof Promise) result.then(back, back);
      else back();
      return result;
    },
  };
  attempt(() => Object.assign(renderer, around));
  return () => {
    if (renderer.suspend === around.suspend) renderer.suspend = suspend;
    if (renderer.resume === around.resume) renderer.resume = resume;
  };
}
