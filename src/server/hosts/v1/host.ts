/**
 * What we touch of opencode 1.18's plugin input, as our own types. Verified on 1.18.33
 * (opencode 1.18.33); every member may be missing.
 */
export type V1Answer = { data?: unknown; error?: unknown; response?: { status?: number } };

export type V1Client = {
  /** Older spelling of `POST /permission/:id/reply`; both lead to the same event. */
  postSessionIdPermissionsPermissionId?(request: {
    path: { id: string; permissionID: string };
    body: { response: "once" | "reject" };
  }): Promise<V1Answer>;
  session?: {
    get?(request: { path: { id: string } }): Promise<V1Answer>;
    messages?(request: { path: { id: string } }): Promise<V1Answer>;
  };
};

export type V1Input = { client?: V1Client; directory?: string; worktree?: string };

export const isV1Input = (input: unknown): input is V1Input => typeof input === "object" && input !== null;
