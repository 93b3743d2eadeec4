import type { Location } from "./event.ts";
import type { Registration } from "./hooks.ts";
import { faultIn, isSchema, type Schema } from "./json-schema.ts";
import type { Publisher } from "./publisher.ts";

/** §7.3: failures are plain objects, not `Error`s. */
export type RpcFailure = {
  type: "rpc.unavailable" | "rpc.method_not_found" | "rpc.invalid_input" | "rpc.invalid_output" | "rpc.internal";
  message: string;
};

/** §7.1, what a contract must have. */
export type Contract = {
  id: string;
  methods: Record<string, { input: Schema; output: Schema }>;
  events: Record<string, { schema: Schema }>;
};

type Handler = (input: unknown, call: { signal: AbortSignal; error: unknown }) => unknown;
type Registered = { contract: Contract; handlers: Record<string, Handler> };
export type RpcRegistration = Registration & { events: { emit(name: string, data: unknown): Promise<void> } };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isHandler = (value: unknown): value is Handler => typeof value === "function";

/** §7.1: reserved are the method name `events` and event names that start with `rpc.`; every method has both schemas. */
export function readContract(value: unknown): Contract {
  if (!isRecord(value) || typeof value.id !== "string") throw new Error("Rpc contract needs an id");
  const { id, methods, events } = value;
  if (!isRecord(methods) || !isRecord(events)) throw new Error(`Rpc contract ${id} needs methods and events`);
  const contract: Contract = { id, methods: {}, events: {} };
  for (const [name, method] of Object.entries(methods)) {
    if (name === "events") throw new Error("Rpc method name events is reserved");
    if (!isRecord(method) || !isSchema(method.input) || !isSchema(method.output))
      throw new Error(`Rpc method ${name} needs input and output`);
    contract.methods[name] = { input: method.input, output: method.output };
  }
  for (const [name, event] of Object.entries(events)) {
    if (name.startsWith("rpc.")) throw new Error(`Rpc event name ${name} is reserved`);
    if (!isRecord(event) || !isSchema(event.schema)) throw new Error(`Rpc event ${name} needs a schema`);
    contract.events[name] = { schema: event.schema };
  }
  return contract;
}

const failure = (type: RpcFailure["type"], message: string): RpcFailure => ({ type, message });

/** §7.2: one a location; registrations of one id stack and the last wins. */
export function createRpcRegistry(publisher: Publisher, location: Location) {
  const registered: Registered[] = [];

  async function run({ contract, handlers }: Registered, method: string, input: unknown, signal: AbortSignal) {
    const shape = contract.methods[method];
    const handler = handlers[method];
    if (shape === undefined || handler === undefined) throw failure("rpc.method_not_found", `${contract.id}.${method}`);
    const wrong = faultIn(shape.input, input, "input");
    if (wrong !== undefined) throw failure("rpc.invalid_input", wrong);
    const output: unknown = await Promise.resolve()
      .then(() => handler(structuredClone(input), { signal, error: undefined }))
      .catch((error: unknown) => Promise.reject(failure("rpc.internal", String(error))));
    const broken = faultIn(shape.output, output, "output");
    if (broken !== undefined) throw failure("rpc.invalid_output", broken);
    return structuredClone(output);
  }

  return {
    async register(definition: unknown, handlers: unknown): Promise<RpcRegistration> {
      const contract = readContract(definition);
      const own: Registered = { contract, handlers: {} };
      for (const [name, handler] of Object.entries(isRecord(handlers) ? handlers : {}))
        if (isHandler(handler)) own.handlers[name] = (input, call) => handler(input, call);
      registered.push(own);
      return {
        events: {
          async emit(name, data) {
            const shape = contract.events[name];
            if (shape === undefined || !isRecord(data) || faultIn(shape.schema, data) !== undefined)
              throw new Error(`Rpc event ${contract.id}.${name} does not fit its schema`);
            publisher.emit(`rpc.${contract.id}.${name}`, data, { location });
          },
        },
        async dispose() {
          const at = registered.indexOf(own);
          if (at >= 0) registered.splice(at, 1);
        },
      };
    },
    async call(id: string, method: string, input: unknown, signal = new AbortController().signal): Promise<unknown> {
      const found = registered.findLast(({ contract }) => contract.id === id);
      if (found === undefined) throw failure("rpc.unavailable", `No rpc ${id} at ${location.directory}`);
      return run(found, method, input, signal);
    },
  };
}

export type RpcRegistry = ReturnType<typeof createRpcRegistry>;
