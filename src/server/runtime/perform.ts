import type { Clock } from "../../shared/clock.ts";
import type { Guard } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { ChannelName, Decision } from "../core/decision.ts";
import type { Effect, PushTarget } from "../core/effect.ts";
import type { Input } from "../core/input.ts";
import type { Handed } from "../core/state.ts";
import type { Channels, Delivery, Note } from "../delivery/channel.ts";
import { changedOn, deliver, failureOf, type ShowDeps } from "../delivery/deliver.ts";
import { guardedChannels } from "../delivery/guarded-channels.ts";
import { isLocked, type Screen, whatHides } from "../delivery/screen.ts";
import type { HostQueries } from "./host.ts";

/** Messages that leave the machine. */
export type Push = {
  /** `asks`: the request that the note's actions answer. */
  send(note: Note, target: PushTarget, asks?: string): Promise<Delivery>;
  withdraw(key: string): Promise<boolean>;
  /** That request is open no more. */
  closed?(requestID: string): void;
};

export type Services = {
  clock: Clock;
  log: Log;
  host: HostQueries;
  channels: Channels;
  push?: Push;
  screen?: Screen;
  record(decision: Decision): void;
  /** Brings the session, and the terminal that shows it, in front of the person. */
  goTo?(sessionID: string, token: string | undefined): void;
  /** A banner that outlives this process. False: nothing here can. */
  detach?(note: Note): boolean;
} & Pick<ShowDeps, "hasDesktop" | "isBehindSsh">;

type Dispatch = (input: Input) => void;

/** Does what a step decided. Everything that has an id is answered by an input, also when it fails. */
export function createPerformer(services: Services, guard: Guard, dispatch: Dispatch) {
  const { clock, log, host, push, screen } = services;
  const channels = guardedChannels(services.channels, guard);
  const underWay = new Set<Promise<void>>();

  /** What has no line yet: a process that ends waits for it. */
  function follow(what: string, work: () => Promise<Input>, failed: Input): void {
    const done = guard
      .promising(what, failed, work)()
      .then(dispatch)
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  function lookUp(effect: Extract<Effect, { do: "look-up" }>): void {
    const { lookUp } = effect;
    if (effect.what === "screen") {
      const asked = async () => (screen === undefined ? false : isLocked(screen, clock));
      follow("screen lock", async () => ({ kind: "screen-found", lookUp, locked: await asked() }), {
        ...{ kind: "screen-found", lookUp, locked: false },
      });
      return;
    }
    const { sessionID } = effect;
    const found = async (): Promise<Input> =>
      effect.what === "session"
        ? { kind: "session-found", lookUp, facts: await host.session(sessionID) }
        : { kind: "messages-found", lookUp, messages: await host.messages(sessionID) };
    // A host that throws at once counts like one that rejects: not known.
    const unknown: Input = { kind: effect.what === "session" ? "session-found" : "messages-found", lookUp };
    guard.unattended(
      "look-up",
      found()
        .catch(() => unknown)
        .then(dispatch),
    );
  }

  const notSent = ({ title, body: message }: Note): Handed => ({
    ...{ title, message, channels: [], failure: "internal" as const },
  });

  function send({ delivery, note, plan, terminal }: Extract<Effect, { do: "send" }>): void {
    const work = async (): Promise<Input> => {
      const [handed, hidden] = await Promise.all([
        deliver(note, plan, { ...services, channels, terminal }),
        whatHides(screen, clock),
      ]);
      return { kind: "sent", delivery, handed, hidden };
    };
    follow("delivery", work, { kind: "sent", delivery, handed: notSent(note), hidden: [] });
  }

  function detach({ delivery, note, wanted }: Extract<Effect, { do: "detach" }>): void {
    const started = wanted && services.detach?.(note) === true;
    const { title, body: message } = note;
    const handed: Handed = started
      ? { title, message, channels: ["banner"] }
      : { title, message, channels: [], failure: "no-channel" };
    dispatch({ kind: "sent", delivery, handed, hidden: [] });
  }

  function pushAway({ delivery, note, target, asks }: Extract<Effect, { do: "push" }>): void {
    const words = {
      title: target.title ? note.title : (note.away?.title ?? note.title),
      message: target.detail ? note.body : (note.away?.body ?? note.body),
    };
    const work = async (): Promise<Input> => {
      const sent = await push?.send(note, target, asks);
      const handed: Handed =
        sent?.ok === true
          ? { ...words, channels: ["push"] }
          : { ...words, channels: [], failure: failureOf(sent === undefined ? [] : [sent]) };
      return { kind: "sent", delivery, handed, hidden: [] };
    };
    const failed: Handed = { ...words, channels: [], failure: "internal" };
    follow("push", work, { kind: "sent", delivery, handed: failed, hidden: [] });
  }

  async function takeBack(key: string): Promise<ChannelName[]> {
    const [fromPush, taken] = await Promise.all([
      push?.withdraw(key).catch(() => false),
      changedOn(channels, (channel) => channel.withdraw(key)),
    ]);
    return fromPush === true && !taken.includes("push") ? [...taken, "push"] : taken;
  }

  function change(withdrawal: string | undefined, work: () => Promise<ChannelName[]>): void {
    if (withdrawal === undefined) return guard.guarded("withdrawal", work)();
    const answer = (went: ChannelName[]): Input => ({ kind: "withdrawn", withdrawal, channels: went });
    follow("withdrawal", async () => answer(await work()), answer([]));
  }

  function answer({ answer: id, by, sessionID, requestID, decision }: Extract<Effect, { do: "answer" }>): void {
    const give = async (): Promise<void> => host.answer?.(sessionID, requestID, decision);
    const refused = (error: unknown): boolean => {
      log(`${by}: the host refused: ${String(error)}`);
      return false;
    };
    const told = (taken: boolean): void => dispatch({ kind: "answered", answer: id, taken });
    guard.unattended(
      "answer",
      give()
        .then(() => true, refused)
        .then(told),
    );
  }

  function perform(effect: Effect): void {
    switch (effect.do) {
      case "look-up":
        return lookUp(effect);
      case "send":
        return send(effect);
      case "detach":
        return detach(effect);
      case "push":
        return pushAway(effect);
      case "close-push":
        return push?.closed?.(effect.requestID);
      case "withdraw":
        return change(effect.withdrawal, () => takeBack(effect.key));
      case "update":
        return change(effect.withdrawal, () => changedOn(channels, (channel) => channel.update(effect.note)));
      case "show":
        return guard.guarded("summary", async () => channels.banner?.send(effect.note))();
      case "answer":
        return answer(effect);
      case "go-to":
        return services.goTo?.(effect.sessionID, effect.token);
      case "record":
        return services.record(effect.decision);
      case "log":
        return log(effect.text);
      case "report-bug":
        return guard.report("decision", effect.bug);
    }
  }

  return {
    perform,
    /** Resolves when everything on its way has arrived, failed or gone, and its line is written. */
    async delivered(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
