import type { Location } from "./event.ts";
import type { MakeID } from "./ids.ts";
import type { Publisher } from "./publisher.ts";
import type { Session } from "./session.ts";

/** §4.4 */
export type FormField = {
  key: string;
  type: string;
  title?: string;
  description?: string;
  custom?: boolean;
  required?: boolean;
  options?: { value: string; label?: string; description?: string }[];
};
export type Form = {
  id: string;
  /** A session, or the literal `global` (§4.4: MCP, logins, other plugins). */
  sessionID: string;
  title?: string;
  metadata?: Record<string, unknown>;
  fields: FormField[];
};
export type FormResult = { answer: Record<string, unknown> } | "cancelled";

export type NewForm = Omit<Form, "id" | "sessionID"> & { owner: Session | Location };
type Waiting = { form: Form; subject: { session: Session } | { location: Location }; settle(result: FormResult): void };

export type FormRegistry = ReturnType<typeof createFormRegistry>;

const isSession = (owner: Session | Location): owner is Session => "nextSeq" in owner;

export function createFormRegistry({ id, publisher }: { id: MakeID; publisher: Publisher }) {
  const waiting = new Map<string, Waiting>();

  function take(formID: string): Waiting {
    const entry = waiting.get(formID);
    if (entry === undefined) throw new Error(`Form not found: ${formID}`);
    waiting.delete(formID);
    return entry;
  }

  function cancel(formID: string) {
    const { form, subject, settle } = take(formID);
    publisher.emit("form.cancelled", { id: form.id, sessionID: form.sessionID }, subject);
    settle("cancelled");
  }

  return {
    /** §4.4: a form whose waiting turn is stopped is cancelled, and that is told (fixture interrupt-question). */
    create({ owner, ...content }: NewForm, signal?: AbortSignal): { form: Form; result: Promise<FormResult> } {
      const session = isSession(owner) ? owner : undefined;
      const subject = isSession(owner) ? { session: owner } : { location: owner };
      const form: Form = { id: id("frm"), sessionID: session?.id ?? "global", ...content };
      const result = new Promise<FormResult>((resolve) => {
        waiting.set(form.id, { form, subject, settle: resolve });
        signal?.addEventListener("abort", () => waiting.has(form.id) && cancel(form.id), { once: true });
      });
      publisher.emit("form.created", { form }, subject);
      return { form, result };
    },
    reply(formID: string, answer: Record<string, unknown>) {
      const { form, subject, settle } = take(formID);
      publisher.emit("form.replied", { id: form.id, sessionID: form.sessionID, answer }, subject);
      settle({ answer });
    },
    cancel,
    get: (formID: string) => waiting.get(formID)?.form,
    list: (sessionID: string) =>
      [...waiting.values()].filter(({ form }) => form.sessionID === sessionID).map(({ form }) => structuredClone(form)),
  };
}
