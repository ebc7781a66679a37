import { join } from 'node:path'

/** Fields of a body, each with a valid value. */
export type Fields = Readonly<Record<string, unknown>>
/** Valid input of a write. */
export interface AcceptedRequest {
  readonly body: Fields
  /** Status of its response. */
  readonly status: number
  /** Fields that take any text here and one of several words in other bodies. */
  readonly texts?: readonly string[]
}

/** A pending intent without its market. */
export const MEANT = {
  action: 'buy',
  direction: 'yes',
  targetQuantity: 1,
  triggerType: 'price_below',
  triggerPrice: 0.1,
  expireAt: '30d',
}

/** An alert rule without its market. */
export const RULE = {
  condition: 'price_above',
  threshold: 99.9,
  windowSeconds: 60,
  channel: 'desktop',
}

/** Has the form of an envelope. */
const ENVELOPE = `AQ${'A'.repeat(62)}`
const VIEW = {
  title: 'Mine',
  text: 'why',
  category: 'economics',
  tickers: ['KXTAKEN'],
  direction: 'yes',
  conviction: 7,
  horizon: '2026-12-31',
  active: true,
}
const STRATEGY = { name: 'Mine', text: 'why', priority: 10, enabled: true }

/** Writes that ignore their body. */
export const BODILESS = [
  'POST /api/auth/local',
  'DELETE /api/keys/:id',
  'DELETE /api/data-keys/:id',
  'DELETE /api/auth/sessions/:id',
  'DELETE /api/exports/:id',
  'DELETE /api/imports/:id',
  'DELETE /api/backtests/:id',
  'DELETE /api/backups/:id',
  'DELETE /api/admin/providers/:name',
  'DELETE /api/dashboard2/market-watch/panels/:id',
  'DELETE /api/intents/:id',
  'DELETE /api/thesis/:id',
  // Their rows are unknown, which is found out before the body is read.
  'PATCH /api/thesis/:id/positions/:positionId',
  'DELETE /api/thesis/:id/positions/:positionId',
  'PATCH /api/thesis/:id/strategies/:strategyId',
  'DELETE /api/thesis/:id/strategies/:strategyId',
  'DELETE /api/thesis/:id/publish',
  'POST /api/thesis/:id/unpublish',
  'DELETE /api/watch/:id',
  'POST /api/watch/:id/refresh',
  'DELETE /api/alert-rules/:id',
  'POST /api/alert-rules/:id/test',
  'DELETE /api/webhook-endpoints/:id',
  'POST /api/webhook-endpoints/:id/test',
  'POST /api/webhook-endpoints/:id/resume',
  'POST /api/webhook-endpoints/:id/deliveries/:deliveryId/replay',
  'DELETE /api/forum/channels/:id',
  'POST /api/replay/pause',
  'POST /api/replay/resume',
]
const RUN = 'POST /api/dashboard2/market-watch/panels/:id/run'
const STEP = 'POST /api/replay/step'
/** Writes with an optional body. */
export const OPTIONAL = [
  'POST /api/keys',
  'POST /api/data-keys',
  'POST /api/auth/signout',
  'POST /api/thesis/:id/publish',
  'POST /api/webhook-endpoints/:id/rotate',
  'POST /api/thesis/:id/augment',
  'POST /api/thesis/:id/evaluate',
  'POST /api/thesis/:id/fork',
  'POST /api/portfolio/trigger',
  'POST /api/portfolio/ledger/import/venue_a/pull',
  'DELETE /api/portfolio/secrets',
  RUN,
  STEP,
]
/** Writes whose fields are all optional. */
export const PARTIAL = [
  'PUT /api/portfolio/config',
  'PUT /api/portfolio/state',
  'POST /api/portfolio/ticks',
]
/** Rejected before its body is validated: no provider is configured. */
export const OFF = ['POST /api/auth/external']
/** Fields with an enumerated value. */
export const WORDS = [
  'action',
  'direction',
  'horizon',
  'evalModelTier',
  'modelTier',
  'executionStyle',
  'triggerType',
  'source',
  'executionMode',
  'paperFill',
  'tier',
  'kind',
  'format',
  'venue',
  'tf',
  'model',
  'confirm',
  'status',
  'condition',
  'channel',
  'state',
  'type',
]
/** Fields that take any JSON value. */
export const FREE = ['payload', 'settings']
/** Arrays of objects: refused rows of imports are listed, fields of decisions have defaults. */
export const ROWS = ['fills', 'settlements', 'decisions', 'drawings']
/** Content of a panel. */
export const SPEC = {
  version: 1,
  kind: 'preset',
  preset: { id: 'data_health' },
  display: { visualization: 'list' },
  schedule: { mode: 'manual' },
}

/** Valid input of each write, and the status of its success. */
export function takenBodies(place: {
  /** A market that is listed. */
  readonly ticker: string
  /** A folder that contains rows.csv and is writable. */
  readonly folder: string
}): Readonly<Record<string, AcceptedRequest>> {
  const key: AcceptedRequest = { body: { name: 'another' }, status: 201 }
  const [email, password] = ['eve@example.test', 'a password of twelve']
  const token = 'session-token-of-a-command-line-000'
  return {
    'POST /api/intents': {
      body: {
        rationale: 'why',
        ...MEANT,
        marketId: place.ticker,
      },
      status: 201,
    },
    'PATCH /api/intents/:id': {
      body: { rationale: 'why', targetQuantity: 2 },
      status: 200,
    },
    'POST /api/watch': {
      body: { label: 'Mine', note: 'why', ...RULE, ticker: place.ticker },
      // The market is watched before.
      status: 200,
    },
    'PATCH /api/watch/:id': {
      body: { label: 'Mine', note: 'why', state: 'active' },
      status: 200,
    },
    'POST /api/thesis/create': {
      body: {
        title: 'A cut',
        rawThesis: 'The Fed will cut rates in December 2026 before the holidays',
        metadata: { desk: 'rates' },
      },
      status: 202,
    },
    'PATCH /api/thesis/:id': {
      body: { title: 'Mine', description: 'why', metadata: { desk: 'rates' }, status: 'active' },
      status: 200,
    },
    'POST /api/thesis/:id/signal': {
      body: {
        source: 'wire',
        url: 'https://example.test/story',
        occurredAt: '2026-01-01T00:00:00.000Z',
        nodeId: 'n1',
        type: 'news',
        content: 'The senate passes it',
      },
      texts: ['type', 'source'],
      status: 202,
    },
    'POST /api/thesis/:id/nodes/update': {
      body: { reason: 'why', updates: [{ nodeId: 'n1', probability: 0.4 }] },
      status: 200,
    },
    'PATCH /api/thesis/:id/nodes': {
      body: { reason: 'why', updates: [{ nodeId: 'n1', locked: false }] },
      status: 200,
    },
    'POST /api/thesis/:id/whatif': { body: { overrides: { n1: 0.4 } }, status: 200 },
    'POST /api/thesis/:id/publish': {
      body: { description: 'why' },
      status: 200,
    },
    'POST /api/thesis/:id/evaluate': { body: { modelTier: 'cheap' }, status: 200 },
    'POST /api/thesis/:id/augment': { body: { depth: 1, focusNodeId: 'n1' }, status: 200 },
    'POST /api/thesis/:id/fork': { body: { newTitle: 'A copy', reason: 'why' }, status: 201 },
    'PATCH /api/thesis/:id/heartbeat': {
      body: {
        newsIntervalMin: 60,
        xIntervalMin: 60,
        evalModelTier: 'cheap',
        monthlyBudgetUsd: 5,
        paused: false,
        smartModel: false,
        closedLoop: false,
      },
      status: 200,
    },
    'POST /api/thesis/:id/positions': {
      body: {
        venue: 'venue_a',
        externalMarketId: place.ticker,
        marketTitle: 'A market',
        direction: 'yes',
        entryPrice: 40,
        size: 10,
        rationale: 'why',
        openedAt: '2026-01-01T00:00:00.000Z',
      },
      status: 201,
    },
    'POST /api/thesis/:id/strategies': {
      body: {
        marketId: place.ticker,
        direction: 'yes',
        market: 'A market',
        horizon: 'short',
        entryBelow: 40,
        entryAbove: 10,
        stopLoss: 20,
        takeProfit: 80,
        maxQuantity: 100,
        perOrderQuantity: 10,
        softConditions: 'calm',
        rationale: 'why',
        priority: 10,
        status: 'watching',
        createdBy: 'desk',
      },
      status: 201,
    },
    'POST /api/watch/identify': { body: { text: 'rate cut' }, status: 200 },
    'POST /api/alert-rules': {
      body: { label: 'high', ...RULE, ticker: place.ticker },
      status: 201,
    },
    'PATCH /api/alert-rules/:id': {
      body: { label: 'high', ...RULE, state: 'active' },
      status: 200,
    },
    'POST /api/webhook-endpoints': {
      body: { url: 'https://127.0.0.1:65534/taken', label: 'taken', events: ['alert.fired'] },
      status: 201,
    },
    'PATCH /api/webhook-endpoints/:id': {
      body: { label: 'renamed', events: ['alert.paused'], state: 'active' },
      status: 200,
    },
    'POST /api/webhook-endpoints/:id/rotate': { body: { graceSeconds: 60 }, status: 200 },
    'POST /api/webhook-endpoints/:id/replay': {
      body: { since: '1h', until: '2030-01-01T00:00:00Z' },
      status: 202,
    },
    'POST /api/forum/channels': {
      body: { id: 'taken', name: 'Taken', description: 'why', defaultTtl: 60 },
      status: 201,
    },
    'POST /api/forum/subscribe': { body: { channels: ['signals'] }, status: 200 },
    'DELETE /api/forum/subscribe': { body: { channels: ['signals'] }, status: 200 },
    'POST /api/forum/messages': {
      body: {
        content: 'why',
        channel: 'signals',
        type: 'signal',
        payload: { price: 1 },
        tickers: [place.ticker],
        agentName: 'Taken',
      },
      status: 201,
    },
    'PUT /api/portfolio/config': {
      body: {
        decisionModel: 'rules',
        executionMode: 'dry-run',
        maxPositions: 3,
        excludeCategories: ['sports'],
      },
      status: 200,
    },
    'PUT /api/portfolio/state': {
      body: { openPositionCount: 2, handoffNote: 'own rules', lastReconcileStatus: 'ok' },
      status: 200,
    },
    'POST /api/portfolio/ledger/import/venue_a': { body: { fills: [], dryRun: true }, status: 200 },
    'POST /api/portfolio/ledger/import/venue_a/pull': { body: { dryRun: true }, status: 409 },
    'POST /api/portfolio/ledger/import/venue_b': {
      body: { settlements: [], dryRun: true },
      status: 200,
    },
    'POST /api/portfolio/views': { body: VIEW, status: 201 },
    'PUT /api/portfolio/views': { body: { ...VIEW, id: 'vw_none' }, status: 404 },
    'DELETE /api/portfolio/views': { body: { id: 'vw_none' }, status: 404 },
    'POST /api/portfolio/strategy': { body: STRATEGY, status: 201 },
    'PUT /api/portfolio/strategy': { body: { ...STRATEGY, id: 'ps_none' }, status: 404 },
    'DELETE /api/portfolio/strategy': { body: { id: 'ps_none' }, status: 404 },
    'POST /api/portfolio/secrets/key': { body: { venue: 'venue_a' }, status: 200 },
    'POST /api/portfolio/secrets': {
      body: { venue: 'venue_a', uploadId: 'up_none', envelope: ENVELOPE, label: 'desk' },
      status: 404,
    },
    'DELETE /api/portfolio/secrets': { body: { venue: 'venue_a' }, status: 404 },
    'PUT /api/chart/drawings': {
      body: { ticker: place.ticker, drawings: [{ id: 'a', kind: 'level', price: 40 }] },
      status: 200,
    },
    'PUT /api/terminal/settings': { body: { settings: { theme: 'light' } }, status: 200 },
    'POST /api/portfolio/paper/reset': { body: { confirm: true }, status: 200 },
    'POST /api/portfolio/ticks': {
      body: { status: 'completed', decisions: [{ kind: 'hold', reason: 'own rules' }] },
      status: 200,
    },
    'POST /api/portfolio/trades': {
      body: {
        venue: 'venue_a',
        marketId: place.ticker,
        direction: 'buy_yes',
        quantity: 5,
        entryPriceCents: 40,
        rationale: 'own rules',
      },
      status: 200,
    },
    // The portfolio is not enabled.
    'POST /api/portfolio/trigger': { body: { reason: 'now', sync: false }, status: 409 },
    'POST /api/signup': { body: { email, password, name: 'Eve' }, status: 201 },
    'POST /api/auth/signin': { body: { email, password }, status: 200 },
    'PATCH /api/auth/me': {
      body: { name: 'Ann', email: 'eve@other.test', password, currentPassword: password },
      status: 200,
    },
    'DELETE /api/auth/me': { body: { confirm: 'delete my account' }, status: 200 },
    'POST /api/auth/external': { body: { token: 'a.b.c' }, status: 404 },
    'POST /api/auth/exchange': { body: { ticket: 'x'.repeat(43) }, status: 410 },
    'POST /api/auth/signout': { body: { all: false }, status: 200 },
    'POST /api/auth/cli': { body: { sessionToken: token }, status: 200 },
    'POST /api/auth/cli/complete': { body: { sessionToken: `${token}1` }, status: 410 },
    'POST /api/keys': key,
    'POST /api/data-keys': key,
    'PATCH /api/admin/users/:id': { body: { tier: 'pro', isAdmin: false }, status: 200 },
    'POST /api/sql': { body: { sql: 'select 1', maxRows: 5 }, status: 200 },
    // An invalid one.
    'POST /api/replay/step': { body: { n: 60 }, status: 404 },
    'POST /api/replay/seek': { body: { to: '2026-11-20T00:00:00Z' }, status: 404 },
    'POST /api/replay/speed': { body: { speed: 'max' }, status: 404 },
    'POST /api/exports': {
      body: {
        out: 'taken',
        kind: 'candles',
        format: 'csv',
        tf: '1h',
        venue: 'venue_a',
        from: '2026-11-19T00:00:00Z',
        to: '2026-11-20T00:00:00Z',
        force: true,
        markets: [place.ticker],
      },
      status: 202,
    },
    'POST /api/backtests': {
      body: {
        strategy: 'buy-and-hold',
        from: '2026-11-15T00:00:00Z',
        to: '2026-11-19T01:00:00Z',
        markets: [place.ticker],
        params: { contracts: 1 },
        seed: 1,
        startCashUsd: 100,
        checks: ['determinism'],
        topic: 'macro',
        capacity: false,
        sweep: { params: { maxPrice: { values: [90] } }, method: 'random', trials: 1 },
        walkForward: { trainDays: 2, testDays: 1, embargoDays: 1 },
      },
      status: 202,
    },
    'POST /api/imports': {
      body: {
        paths: [join(place.folder, 'rows.csv')],
        kind: 'lab_markets',
        venue: 'venue_a',
        dryRun: true,
      },
      status: 202,
    },
    'POST /api/backups': {
      body: { out: join(place.folder, 'backup'), force: false, withSecrets: false },
      status: 202,
    },
    'PUT /api/admin/providers/:name': {
      body: { url: 'http://127.0.0.1:9/v1', key: 'a-key', models: { cheap: 'small' } },
      status: 200,
    },
    'POST /api/dashboard2/market-watch/panels': {
      body: { title: 'Mine', spec: SPEC },
      status: 201,
    },
    'PATCH /api/dashboard2/market-watch/panels/:id': {
      body: { title: 'Mine', spec: SPEC, status: 'active', sortIdx: 3 },
      status: 200,
    },
    'POST /api/dashboard2/market-watch/panels/reorder': {
      body: { order: [{ id: 'none', sortIdx: 1 }] },
      status: 404,
    },
    [RUN]: { body: {}, status: 404 },
    'POST /api/public/discuss': {
      body: {
        question: 'will it',
        topic: 'crypto',
        tickers: [place.ticker],
        model: 'cheap',
        perspectives: 3,
      },
      status: 200,
    },
    'POST /api/monitor-the-situation/enrich': {
      body: { content: 'Rates may rise.', topics: ['rates'], model: 'cheap' },
      status: 200,
    },
  }
}
