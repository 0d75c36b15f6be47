/** What a new workflow may start from; the server draws the graph. */
export const templates = [
  { key: 'preflight' },
  { key: 'preflight-hold' },
  { key: 'preflight-fix' },
  { key: 'preflight-impose' },
  { key: 'empty' },
] as const;
