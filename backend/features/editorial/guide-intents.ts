/** One step of a guide: a tool of the registry, its route, and why it is next. */
export interface GuideStep {
  readonly title: string
  /** Canonical name. */
  readonly tool: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly why: string
}

/** Something a reader may want, and the way there. */
export interface GuideIntent {
  readonly slug: string
  readonly title: string
  readonly summary: string
  /** Words that lead here besides those of title and summary. */
  readonly words: string
  readonly steps: readonly GuideStep[]
  /** Slugs of skills that do the same. */
  readonly skills: readonly string[]
}

const step = (
  title: string,
  tool: string,
  path: string,
  why: string,
  query: GuideStep['query'] = {},
  method: GuideStep['method'] = 'GET',
): GuideStep => ({ title, tool, method, path, query, why })

export const GUIDE_INTENTS: readonly GuideIntent[] = [
  {
    slug: 'what-changed',
    title: 'See what changed',
    summary: 'What moved, settled or appeared since you last looked.',
    words: 'news update morning catch up happened overnight delta',
    steps: [
      step(
        'Read the world',
        'world.read',
        '/api/agent/world',
        'One page on what stands out now, with threads to pull.',
      ),
      step(
        'Ask for the difference',
        'world.delta',
        '/api/agent/world/delta',
        'Only what changed since a time; cheap to ask again.',
        { since: '12h' },
      ),
      step(
        'List single events',
        'changes.list',
        '/api/changes',
        'Each move, settlement and new market with its time.',
        { since: '12h' },
      ),
    ],
    skills: ['morning-brief'],
  },
  {
    slug: 'find-a-market',
    title: 'Find a market',
    summary: 'From words or a question to a ticker with a price.',
    words: 'search look up ticker probability odds of will',
    steps: [
      step(
        'Ask in plain words',
        'query.ask',
        '/api/public/query',
        'Markets of both venues and a short answer from facts.',
        { q: 'fed rate cut' },
      ),
      step(
        'Filter active markets',
        'markets.search',
        '/api/public/scan',
        'The same words with price, volume and expiry filters.',
        { q: 'fed rate cut' },
      ),
      step(
        'Open the best one',
        'market.inspect',
        '/api/agent/inspect/{ticker}',
        'Everything known of one market on one page.',
      ),
    ],
    skills: ['answer-a-question'],
  },
  {
    slug: 'explain-a-move',
    title: 'Explain a move',
    summary: 'What may stand behind a price that moved.',
    words: 'why moved jump drop cause reason spike',
    steps: [
      step(
        'Open the market',
        'market.inspect',
        '/api/agent/inspect/{ticker}',
        'Change, trend, signals and linked markets.',
      ),
      step(
        'Ask for hypotheses',
        'world.read',
        '/api/agent/world',
        'Facts near the move in time, each with its confidence.',
        { op: 'explain', item: '{item}' },
      ),
      step(
        'Follow the links',
        'world.read',
        '/api/agent/world',
        'Markets that should move with it, two steps far.',
        { op: 'trail', from: '{ticker}' },
      ),
    ],
    skills: ['explain-a-move'],
  },
  {
    slug: 'find-edges',
    title: 'Find what is tradable',
    summary: 'Contradictions between prices that are left after fees.',
    words: 'arbitrage mispriced edge opportunity trade ideas money',
    steps: [
      step(
        'Read ideas',
        'ideas.list',
        '/api/public/ideas',
        'The strongest, with catalyst and risk.',
      ),
      step(
        'Compare venues',
        'crossvenue.pairs',
        '/api/public/cross-venue/pairs',
        'The same question at two prices, net of fees.',
        { sort: 'gap' },
      ),
      step(
        'See who owes a move',
        'contagion.read',
        '/api/public/contagion',
        'Linked markets that lag or overshoot.',
      ),
      step(
        'Check the book',
        'market.get',
        '/api/public/market/{ticker}',
        'Depth decides what an edge is worth.',
        { depth: 'true' },
      ),
    ],
    skills: ['edge-hunt', 'cross-venue-check'],
  },
  {
    slug: 'follow-a-topic',
    title: 'Follow a topic',
    summary: 'One theme: its gauges, markets, dates and what happened.',
    words: 'iran oil fed recession election bitcoin ukraine china trump ai theme region',
    steps: [
      step(
        'Drill into it',
        'world.read',
        '/api/agent/world/{topic}',
        'The world cut to one topic or word.',
      ),
      step(
        'Read its briefing',
        'briefing.read',
        '/api/public/briefing',
        'Movers, results and dates ahead over a window.',
        { topic: 'oil', window: '24h' },
      ),
      step(
        'Watch its feed',
        'topic.feed',
        '/api/agent/feed/{topic}',
        'Each event of the topic, newest first.',
      ),
    ],
    skills: ['morning-brief'],
  },
  {
    slug: 'what-is-next',
    title: 'Know what is next',
    summary: 'What resolves soon, and what may move prices.',
    words: 'calendar upcoming dates resolve close deadline catalyst tomorrow week',
    steps: [
      step(
        'Read the calendar',
        'calendar.list',
        '/api/public/calendar',
        'Resolutions and dates ahead by time.',
        { days: '7' },
      ),
      step(
        'See catalysts of the world',
        'world.read',
        '/api/agent/world',
        'Those that decide most.',
        { op: 'catalyst' },
      ),
    ],
    skills: ['week-ahead'],
  },
  {
    slug: 'judge-liquidity',
    title: 'Judge whether it can be traded',
    summary: 'Spread, depth and who is on the other side.',
    words: 'liquidity spread depth slippage size maker taker toxic informed',
    steps: [
      step(
        'Look at the book',
        'market.get',
        '/api/public/market/{ticker}',
        'Five levels a side and the regime.',
        { depth: 'true' },
      ),
      step(
        'See its hours',
        'market.microstructure',
        '/api/public/market-microstructure-history',
        'Spread, depth and flow hour by hour.',
        { ticker: '{ticker}' },
      ),
      step(
        'Compare with others',
        'regime.scan',
        '/api/public/regime/scan',
        'Markets by what takers lose to those who know.',
      ),
    ],
    skills: ['liquidity-check'],
  },
  {
    slug: 'check-the-record',
    title: 'Check whether prices were right',
    summary: 'How forecasts did against what happened.',
    words: 'calibration accuracy brier trust track record history',
    steps: [
      step(
        'Read the scorecard',
        'calibration.read',
        '/api/public/calibration',
        'Buckets of forecasts against outcomes.',
        { period: '90d' },
      ),
      step(
        'Look at one past instant',
        'world.read',
        '/api/agent/world',
        'Any read takes asOf and answers as it would have then.',
        { asOf: '{iso}' },
      ),
    ],
    skills: ['look-back'],
  },
]
