/** An address below the server's own, without what may be secret in that one: it goes into messages. */
export function topicURL(server: string, ...path: string[]): string {
  const { origin, pathname } = new URL(server);
  return [origin + pathname.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/");
}
