import type { Clock } from "../../src/shared/clock.ts";
import type { FormRegistry } from "./form-registry.ts";
import type { Hooks } from "./hooks.ts";
import type { MakeID } from "./ids.ts";
import type { Model } from "./model.ts";
import type { PermissionRegistry } from "./permission-registry.ts";
import type { AssistantMessage, InterruptReason, ToolPart } from "./records.ts";
import type { Run } from "./run.ts";
import type { NewSession, Session } from "./session.ts";
import type { Ending, Log } from "./session-log.ts";
import type { StepLog } from "./step-log.ts";
import type { ToolRegistry } from "./tool-registry.ts";

/** What a location offers to the sessions in it. */
export type Services = { hooks: Hooks; tools: ToolRegistry };

export type EngineOptions = {
  /** Between two things the host does, ms. */
  stepMs: number;
  /** When the title comes after the first prompt, ms. It may well come after the end (fixtures). */
  titleMs: number;
  /** Real hosts wait 2, 4, 8, 16 s (fixtures); this scales them. */
  retryScale: number;
  /** Attempts before an execution fails (fixture error-500-exhausted: 5). */
  maxAttempts: number;
  /** Input tokens at which the host compacts by itself. */
  contextLimit: number;
  /** §4.3: `user`; the alpha said `shutdown` for a dismissed ask. */
  dismissReason: InterruptReason;
  /** Whether delivering a compaction item is told. The alpha did not (fixture session-ops). */
  compactionDelivered: boolean;
  /** What `always` saves for a shell command: the command itself, as the alpha did, or every command of that program. */
  exactSaves: boolean;
};

export type EngineDeps = {
  clock: Clock;
  id: MakeID;
  log: Log;
  steps: StepLog;
  permissions: PermissionRegistry;
  forms: FormRegistry;
  model: Model;
  options: EngineOptions;
  /** §2.5: the first use of a location boots it; everybody waits for that. */
  servicesOf(session: Session): Promise<Services>;
  newSession(from: NewSession): Session;
  sessionOf(id: string): Session | undefined;
};

/** How tools reach back to the engine. */
export type Executions = {
  wake(session: Session): void;
  /** The next end of this session, or the one that just was when it is idle. */
  ended(session: Session): Promise<Ending>;
  interrupt(session: Session, reason: InterruptReason): Promise<boolean>;
};

/** One tool call while it runs. */
export type Call = {
  session: Session;
  message: AssistantMessage;
  part: ToolPart;
  name: string;
  input: Record<string, unknown>;
  run: Run;
  services: Services;
};

export type ToolResult = { content: unknown[]; metadata?: Record<string, unknown> };
export const said = (text: string, metadata?: Record<string, unknown>): ToolResult => ({
  content: [{ type: "text", text }],
  ...(metadata === undefined ? {} : { metadata }),
});

export const defaultEngine: EngineOptions = {
  stepMs: 1,
  titleMs: 8,
  retryScale: 0.05,
  maxAttempts: 5,
  contextLimit: 50_000,
  dismissReason: "user",
  compactionDelivered: true,
  exactSaves: false,
};
