import type { Person } from './whole-service.ts'

/** Resources that belong to one user. */
export interface OfOneUser extends Pick<Person, 'serviceKey' | 'dataKey' | 'sessionId'> {
  readonly panelId: string
  readonly backtestId: string
  readonly intentId: string
  readonly watchId: string
  readonly ruleId: string
  readonly thesisId: string
  readonly endpointId: string
  readonly tickId: string
  readonly tradeId: string
}
/** A route that names a user's resource. */
interface Owned {
  readonly idOf: (owned: OfOneUser) => string
  /** The response for an unknown id. */
  readonly unknown: string
  readonly body?: string
  /** The owner's status; 200 by default. */
  readonly answered?: number
}
const PANEL: Owned = {
  idOf: ({ panelId }) => panelId,
  unknown: '"reason":"panel_not_found_or_not_owned"',
  body: '{}',
}
const KEY = '"error":"Key not found or already revoked","code":"NOT_FOUND"'
const BACKTEST: Owned = {
  idOf: ({ backtestId }) => backtestId,
  unknown: '"error":"Backtest not found","code":"NOT_FOUND"',
}
const INTENT: Owned = {
  idOf: ({ intentId }) => intentId,
  unknown: '"error":"Intent not found","code":"NOT_FOUND"',
}
const NOT_FOUND = '"error":"not found","code":"NOT_FOUND"'
const RULE: Owned = {
  idOf: ({ ruleId }) => ruleId,
  unknown: '"error":"Alert rule not found","code":"NOT_FOUND"',
}
const ENDPOINT: Owned = {
  idOf: ({ endpointId }) => endpointId,
  unknown: '"error":"Endpoint not found","code":"NOT_FOUND"',
}
/** The endpoint is the caller's, and has no delivery of its own id. */
const DELIVERY: Owned = { ...ENDPOINT, answered: 404 }
const THESIS: Owned = {
  idOf: ({ thesisId }) => thesisId,
  unknown: '"error":"Thesis not found","code":"NOT_FOUND"',
}
const WATCH: Owned = {
  idOf: ({ watchId }) => watchId,
  unknown: '"error":"Watch not found","code":"NOT_FOUND"',
}
/** Routes that name a user's resource. */
export const OWNED: Readonly<Record<string, Owned>> = {
  'DELETE /api/keys/:id': { idOf: ({ serviceKey }) => serviceKey.id, unknown: KEY },
  'DELETE /api/data-keys/:id': { idOf: ({ dataKey }) => dataKey.id, unknown: KEY },
  'DELETE /api/auth/sessions/:id': {
    idOf: ({ sessionId }) => sessionId,
    unknown: '"error":"Session not found","code":"NOT_FOUND"',
  },
  'GET /api/backtests/:id': BACKTEST,
  // The user's run found no events.
  'GET /api/backtests/:id/trades': { ...BACKTEST, answered: 409 },
  'DELETE /api/backtests/:id': BACKTEST,
  'GET /api/intents/:id': INTENT,
  'PATCH /api/intents/:id': { ...INTENT, body: '{"rationale":"taken"}' },
  'DELETE /api/intents/:id': INTENT,
  'GET /api/portfolio/ticks/:id': { idOf: ({ tickId }) => tickId, unknown: NOT_FOUND },
  'GET /api/portfolio/trades/:id': { idOf: ({ tradeId }) => tradeId, unknown: NOT_FOUND },
  'GET /api/alert-rules/:id': RULE,
  'PATCH /api/alert-rules/:id': { ...RULE, body: '{"label":"taken"}' },
  'POST /api/alert-rules/:id/test': RULE,
  'DELETE /api/alert-rules/:id': RULE,
  'GET /api/webhook-endpoints/:id': ENDPOINT,
  'PATCH /api/webhook-endpoints/:id': { ...ENDPOINT, body: '{"label":"taken"}' },
  'POST /api/webhook-endpoints/:id/test': { ...ENDPOINT, body: '{}' },
  'POST /api/webhook-endpoints/:id/rotate': { ...ENDPOINT, body: '{}' },
  'POST /api/webhook-endpoints/:id/resume': { ...ENDPOINT, body: '{}' },
  'GET /api/webhook-endpoints/:id/deliveries': ENDPOINT,
  'GET /api/webhook-endpoints/:id/deliveries/:deliveryId': DELIVERY,
  'POST /api/webhook-endpoints/:id/deliveries/:deliveryId/replay': { ...DELIVERY, body: '{}' },
  'POST /api/webhook-endpoints/:id/replay': {
    ...ENDPOINT,
    body: '{"since":"1h"}',
    answered: 202,
  },
  'DELETE /api/webhook-endpoints/:id': ENDPOINT,
  'GET /api/watch/:id': WATCH,
  'PATCH /api/watch/:id': { ...WATCH, body: '{"label":"taken"}' },
  'POST /api/watch/:id/refresh': WATCH,
  'DELETE /api/watch/:id': WATCH,
  'GET /api/thesis/:id': THESIS,
  'PATCH /api/thesis/:id': { ...THESIS, body: '{"title":"taken"}' },
  'POST /api/thesis/:id/signal': {
    ...THESIS,
    body: '{"type":"news","content":"taken"}',
    answered: 202,
  },
  'POST /api/thesis/:id/evaluate': { ...THESIS, body: '{}' },
  'GET /api/thesis/:id/evaluations': THESIS,
  'POST /api/thesis/:id/nodes/update': { ...THESIS, body: '{"nodeId":"n1","label":"taken"}' },
  'PATCH /api/thesis/:id/nodes': { ...THESIS, body: '{"nodeId":"n1","label":"taken"}' },
  'POST /api/thesis/:id/whatif': { ...THESIS, body: '{"overrides":{"n1":0.1}}' },
  'POST /api/thesis/:id/publish': { ...THESIS, body: '{}' },
  'DELETE /api/thesis/:id/publish': THESIS,
  'POST /api/thesis/:id/unpublish': { ...THESIS, body: '{}' },
  'GET /api/thesis/:id/context': THESIS,
  'GET /api/thesis/:id/changes': THESIS,
  'GET /api/thesis/:id/prompt': THESIS,
  'POST /api/thesis/:id/augment': { ...THESIS, body: '{}' },
  'POST /api/thesis/:id/fork': { ...THESIS, body: '{}', answered: 201 },
  'POST /api/thesis/:id/positions': {
    ...THESIS,
    body: '{"venue":"venue_a","externalMarketId":"KXTAKEN","marketTitle":"taken","direction":"yes","entryPrice":1}',
    answered: 201,
  },
  'GET /api/thesis/:id/strategies': THESIS,
  'GET /api/thesis/:id/heartbeat': THESIS,
  'PATCH /api/thesis/:id/heartbeat': { ...THESIS, body: '{"smartModel":false}' },
  'GET /api/thesis/:id/backtest': THESIS,
  'POST /api/thesis/:id/strategies': { ...THESIS, body: '{}', answered: 400 },
  // The thesis has no such row.
  'PATCH /api/thesis/:id/positions/:positionId': { ...THESIS, body: '{"size":1}', answered: 404 },
  'DELETE /api/thesis/:id/positions/:positionId': { ...THESIS, answered: 404 },
  'PATCH /api/thesis/:id/strategies/:strategyId': {
    ...THESIS,
    body: '{"priority":1}',
    answered: 404,
  },
  'DELETE /api/thesis/:id/strategies/:strategyId': { ...THESIS, answered: 404 },
  'DELETE /api/thesis/:id': THESIS,
  'PATCH /api/dashboard2/market-watch/panels/:id': { ...PANEL, body: '{"title":"taken"}' },
  'POST /api/dashboard2/market-watch/panels/:id/run': PANEL,
  'DELETE /api/dashboard2/market-watch/panels/:id': PANEL,
}

/** Routes that name a resource of the service: for administrators, independent of its creator. */
export const ADMINISTERED: Readonly<Record<string, (created: Administered) => string>> = {
  'PATCH /api/admin/users/:id': ({ userId }) => userId,
  'GET /api/exports/:id': ({ exportId }) => exportId,
  'DELETE /api/exports/:id': ({ exportId }) => exportId,
  'GET /api/imports/:id': ({ importId }) => importId,
  'DELETE /api/imports/:id': ({ importId }) => importId,
  'GET /api/backups/:id': ({ backupId }) => backupId,
  'DELETE /api/backups/:id': ({ backupId }) => backupId,
  'GET /api/admin/providers/:name': () => 'llm',
  'PUT /api/admin/providers/:name': () => 'llm',
  'DELETE /api/admin/providers/:name': () => 'llm',
}
/** Resources that administrators create, and the users they change. */
export interface Administered {
  readonly userId: string
  readonly exportId: string
  readonly importId: string
  readonly backupId: string
}

/** Routes that name a resource without an owner. */
export const PUBLIC = [
  'GET /api/agent/world/*',
  'GET /api/agent/feed/:topic',
  'GET /api/agent/inspect/:ticker',
  'GET /api/public/market/:ticker',
  'GET /api/public/market/:ticker/candles',
  'GET /api/public/market/:ticker/depth',
  'GET /api/public/market/:ticker/quotes',
  'GET /api/public/market/:ticker/trades',
  'GET /api/public/market/:ticker/history',
  'GET /api/public/yield-curves/:event',
  'GET /api/public/topic/:slug',
  'GET /api/public/answer/:slug',
  'GET /api/public/skill/:slug',
  'GET /api/public/technicals/:slug',
  'GET /api/public/opinions/:slug',
  'GET /api/public/glossary/:slug',
  'GET /api/public/thesis/:slug',
  'GET /api/thesis/by-ticker/:ticker',
  'GET /api/public/ideas/:id',
  'GET /v1/markets/:ticker',
  'GET /v1/orderbook/:ticker',
  'GET /v1/candles/:ticker',
  'GET /v1/trades/:ticker',
  'GET /api/backtests/strategies/:name',
  'GET /markets/:slug',
  'GET /thesis/:slug',
  // Channels are visible to all users; only their creator or an administrator removes one.
  'DELETE /api/forum/channels/:id',
]

/** Routes that read and change the requester's own resources without naming them. */
export const OWN = [
  'GET /api/auth/me',
  'PATCH /api/auth/me',
  'DELETE /api/auth/me',
  'GET /api/auth/sessions',
  'GET /api/keys',
  'POST /api/keys',
  'GET /api/data-keys',
  'POST /api/data-keys',
  'GET /api/dashboard/usage',
  'GET /api/chart/drawings',
  'PUT /api/chart/drawings',
  'GET /api/terminal/settings',
  'PUT /api/terminal/settings',
  'POST /api/auth/cli/complete',
  'POST /api/auth/signout',
  'GET /api/dashboard2/market-watch-v2',
  'POST /api/dashboard2/market-watch/panels',
  'POST /api/dashboard2/market-watch/panels/reorder',
  'GET /api/backtests',
  'POST /api/backtests',
  'GET /api/backtests/strategies',
  'GET /api/intents',
  'POST /api/intents',
  'GET /api/thesis',
  'POST /api/thesis/create',
  'GET /api/feed',
  'GET /api/watch',
  'POST /api/watch',
  'POST /api/watch/identify',
  'GET /api/alert-rules',
  'POST /api/alert-rules',
  'GET /api/alert-deliveries',
  'GET /api/webhook-endpoints',
  'POST /api/webhook-endpoints',
  'POST /api/forum/channels',
  'POST /api/forum/subscribe',
  'DELETE /api/forum/subscribe',
  'GET /api/forum/inbox',
  'POST /api/forum/messages',
  'GET /api/forum/agents',
  'POST /api/portfolio/paper/reset',
  'GET /api/portfolio/config',
  'PUT /api/portfolio/config',
  'GET /api/portfolio/state',
  'PUT /api/portfolio/state',
  'GET /api/portfolio/risk',
  'GET /api/portfolio/ledger',
  'GET /api/portfolio/fills',
  'GET /api/portfolio/activity',
  'GET /api/portfolio/positions',
  'GET /api/portfolio/attribution/daily',
  'GET /api/portfolio/attribution/grouped',
  'GET /api/portfolio/ticks',
  'POST /api/portfolio/ticks',
  'GET /api/portfolio/trades',
  'POST /api/portfolio/trades',
  'POST /api/portfolio/trigger',
  'POST /api/portfolio/ledger/import/venue_a',
  'POST /api/portfolio/ledger/import/venue_a/pull',
  'POST /api/portfolio/ledger/import/venue_b',
  'GET /api/portfolio/views',
  'POST /api/portfolio/views',
  'PUT /api/portfolio/views',
  'DELETE /api/portfolio/views',
  'GET /api/portfolio/strategy',
  'POST /api/portfolio/strategy',
  'PUT /api/portfolio/strategy',
  'DELETE /api/portfolio/strategy',
  'POST /api/portfolio/secrets/key',
  'POST /api/portfolio/secrets',
  'DELETE /api/portfolio/secrets',
]

/** Routes without an owner that are not public, and routes for administrators and the owner. */
export const SERVICE = [
  'GET /api/calibration',
  'GET /api/forum/messages',
  'DELETE /api/forum/channels/:id',
  'GET /api/admin/users',
  'POST /api/exports',
  'POST /api/imports',
  'POST /api/backups',
  'POST /api/sql',
  'GET /api/backtests/strategies/:name',
  'GET /api/replay',
  'GET /api/replay/report',
  'POST /api/replay/pause',
  'POST /api/replay/resume',
  'POST /api/replay/step',
  'POST /api/replay/seek',
  'POST /api/replay/speed',
  'GET /api/doctor',
  'POST /api/auth/local',
  'GET /api/admin/market-watch/health',
]
