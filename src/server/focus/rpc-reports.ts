import type * as z from "zod/mini";
import type { Clock } from "../../shared/clock.ts";
import { promising } from "../../shared/guard.ts";
import { type CallAsk, callInputs } from "../../shared/plugin-call.ts";
import type { RaiseRequest, ToTerminal } from "../../shared/protocol.ts";
import type { Observer } from "./observer-peer.ts";
import type { PresenceStore } from "./presence-store.ts";
import { createRaises, type Raises } from "./raises.ts";
import type { Relay } from "./relay.ts";

/** One answer of a plugin call. Never thrown: the host would show the caller an internal error. */
export type CallAnswer = { ok: boolean; text?: string; status?: unknown; relay?: string | undefined };

export type RpcReports = {
  /** For `ctx.rpc.register(callContract, handlers)`; every location of the process registers the same ones. */
  handlers: Record<"report" | "gone" | "raised" | "ask", (input: unknown) => Promise<CallAnswer>>;
  /** Where wishes go out: `events.emit` of one registration. Returns its own end; the newest is used. */
  connect(emit: (event: "wish", data: { viewer: string; frame: ToTerminal }) => Promise<void>): () => void;
  send(viewer: string, frame: ToTerminal): void;
  raise(viewer: string, alert: RaiseRequest): Promise<boolean>;
};

export type RpcReportsDeps = {
  clock: Clock;
  store: PresenceStore;
  observer(): Observer | undefined;
  /** The relay of this process: a terminal that has a socket there need not call. */
  relay(): Pick<Relay, "id" | "has"> | undefined;
};

/** Reports that come by plugin call instead of a socket, into the same presence; they end by silence or `gone`. */
export function createRpcReports({ clock, store, observer, relay }: RpcReportsDeps): RpcReports {
  const emitters: Parameters<RpcReports["connect"]>[0][] = [];
  const viewers = new Map<string, Raises>();

  function send(viewer: string, frame: ToTerminal): void {
    const emit = async () => emitters.at(-1)?.("wish", { viewer, frame });
    emit().catch(() => {}); // an unheard wish is an unanswered one
  }

  function report({ viewer, ...rest }: z.output<typeof callInputs.report>): CallAnswer {
    if (!store.report({ id: viewer, ...rest })) return { ok: false, text: "no room for another terminal" };
    if (!viewers.has(viewer))
      viewers.set(
        viewer,
        createRaises(clock, (frame) => send(viewer, frame)),
      );
    for (const known of viewers.keys()) if (!store.presence().has(known)) forget(known);
    return { ok: true, relay: relay()?.id };
  }

  function forget(viewer: string): void {
    viewers.get(viewer)?.abandon();
    viewers.delete(viewer);
  }

  /** Of a terminal with a socket its end is the news; an earlier load of it may say goodbye late. */
  function gone(viewer: string): CallAnswer {
    if (viewers.has(viewer) && !relay()?.has(viewer)) store.forget(viewer);
    forget(viewer);
    return { ok: true };
  }

  async function ask(asked: CallAsk): Promise<CallAnswer> {
    const { status, mute, test } = observer() ?? {};
    if (asked.ask === "status") return { ok: true, status: status?.() ?? null };
    const work = asked.ask === "mute" ? mute?.(asked.ms) : test?.();
    if (work === undefined) return { ok: false, text: "not available here" };
    return work.then(
      (text) => ({ ok: true, text }),
      (error) => ({ ok: false, text: error instanceof Error ? error.message : "failed" }),
    );
  }

  return {
    handlers: {
      report: reading(callInputs.report, report),
      gone: reading(callInputs.gone, ({ viewer }) => gone(viewer)),
      raised: reading(callInputs.raised, ({ viewer, request, ok }) => {
        viewers.get(viewer)?.answered(request, ok);
        return { ok: true };
      }),
      ask: reading(callInputs.ask, ask),
    },
    connect(emit) {
      emitters.push(emit);
      return () => {
        const at = emitters.indexOf(emit);
        if (at >= 0) emitters.splice(at, 1);
      };
    },
    send,
    raise: (viewer, alert) => viewers.get(viewer)?.raise(alert) ?? Promise.resolve(false),
  };
}

const bug: CallAnswer = { ok: false, text: "a bug of beckon's own; its log has it" };

/** A call that does not fit changes nothing. */
function reading<S extends z.ZodMiniType>(schema: S, act: (input: z.output<S>) => CallAnswer | Promise<CallAnswer>) {
  return promising("plugin call", bug, async (input: unknown): Promise<CallAnswer> => {
    const read = schema.safeParse(input);
    return read.success ? act(read.data) : { ok: false, text: "not understood" };
  });
}
