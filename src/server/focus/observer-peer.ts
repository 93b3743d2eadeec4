import { promising, unattended } from "../../shared/guard.ts";
import { encode, type FromObserver, readFromObserver } from "../../shared/protocol.ts";
import type { Line, Peer } from "./connection.ts";

/**
 * What the engine lets the command line and a terminal's commands see and do.
 * Whatever is left out is answered with "not available here".
 */
export type Observer = {
  /** JSON data, or a promise of it; `lines: string[]` in it is what a person is shown in a terminal. */
  status(): unknown;
  /** Hands out every trace line from when it resolves on, with its own end. */
  record?(onLine: (line: string) => void): (() => void) | Promise<() => void>;
  /** 0 ends a mute. Says in words what holds now. */
  mute?(ms: number): Promise<string>;
  /** Delivers a test alert. Says in words what became of it. */
  test?(): Promise<string>;
  /** Delivers one to every push target, as an alert of that kind. JSON: a list of what became of it. */
  testPush?(kind: "pause" | "done" | "error"): Promise<string>;
};

export type ObserverPeer = Peer & { decision(decision: unknown): void };

export function createObserverPeer(line: Line, observer: () => Observer | undefined): ObserverPeer {
  let subscribed = false;
  let stopRecording = () => {};

  const answer = (to: string, ok: boolean, text: string) => line.send(encode({ type: "answer", to, ok, text }));
  function showStatus(status: Observer["status"] | undefined): void {
    const show = (told: unknown) => line.send(encode({ type: "status", status: told }));
    if (status === undefined) show(null);
    else unattended("relay", promising("status", null, status)().then(show));
  }
  const missing = (to: string) => answer(to, false, "not available here");
  const told = (to: string, work: Promise<string>) =>
    unattended(
      "relay",
      work.then(
        (text) => answer(to, true, text),
        (error) => answer(to, false, error instanceof Error ? error.message : "failed"),
      ),
    );

  function record(on: boolean): void {
    stopRecording();
    stopRecording = () => {};
    const start = observer()?.record;
    if (!on) return answer("record", true, "stopped");
    if (start === undefined) return missing("record");
    let wanted = true;
    stopRecording = () => {
      wanted = false;
    };
    const begin = async (): Promise<void> => {
      const stop = await start((text) => line.send(encode({ type: "trace", line: text })));
      if (!wanted) return stop();
      stopRecording = stop;
      answer("record", true, "recording");
    };
    unattended(
      "relay",
      begin().catch(() => answer("record", false, "failed")),
    );
  }

  function obey(frame: Exclude<FromObserver, { type: "bye" }>): void {
    const { status, mute, test, testPush } = observer() ?? {};
    switch (frame.type) {
      case "status":
        return showStatus(status);
      case "subscribe":
        subscribed = true;
        return answer("subscribe", true, "subscribed");
      case "record":
        return record(frame.on);
      case "mute":
        return mute === undefined ? missing("mute") : told("mute", mute(frame.ms));
      case "test":
        if (frame.push !== undefined && testPush !== undefined) return told("test", testPush(frame.push));
        return test === undefined || frame.push !== undefined ? missing("test") : told("test", test());
    }
  }

  return {
    receive(text) {
      const read = readFromObserver(text);
      if (!read.ok) return "malformed";
      if (read.value.type === "bye") return "done";
      obey(read.value);
      return undefined;
    },
    decision(decision) {
      if (subscribed) line.send(encode({ type: "decision", decision }));
    },
    gone: () => stopRecording(),
  };
}
