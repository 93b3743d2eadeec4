/** Puts variables into this process's environment, where a plugin in it reads them; the returned function puts it back. */
export function borrowEnvironment(variables: Record<string, string | undefined>): () => void {
  const before = new Map(Object.keys(variables).map((name) => [name, process.env[name]]));
  const put = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(variables)) put(name, value);
  return () => {
    for (const [name, value] of before) put(name, value);
  };
}
