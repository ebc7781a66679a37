/** A way of working that an agent can take over. */
export interface Skill {
  readonly slug: string
  readonly name: string
  readonly trigger: string
  readonly description: string
  readonly category: string
  readonly tags: readonly string[]
  /** Canonical names of tools. */
  readonly toolsUsed: readonly string[]
  readonly estimatedTime: string
  readonly prompt: string
}

const promptOf = (goal: string, steps: readonly string[], end: string): string =>
  [
    goal,
    ...steps.map((text, index) => `${index + 1}. ${text}`),
    `${end} Cite tickers. Give numbers as served, and say how old they are.`,
  ].join('\n')

/** By category, then name. */
export const SKILLS: readonly Skill[] = [
  {
    slug: 'answer-a-question',
    name: 'Answer a question',
    trigger: 'what are the odds of …',
    description:
      'Answers a plain question with prices of both venues and what speaks against them.',
    category: 'research',
    tags: ['question', 'odds'],
    toolsUsed: ['query.ask', 'market.inspect'],
    estimatedTime: '1 min',
    prompt: promptOf(
      'Answer the question from prediction markets.',
      [
        'Call query.ask with the question and mode=raw.',
        'Call market.inspect for the best market of each venue.',
        'Compare prices, liquidity and closing dates.',
      ],
      'Answer in three sentences: the price, what differs between venues, what would change it.',
    ),
  },
  {
    slug: 'explain-a-move',
    name: 'Explain a move',
    trigger: 'why did … move',
    description: 'Collects the facts around a move without calling them causes.',
    category: 'research',
    tags: ['move', 'explain'],
    toolsUsed: ['market.inspect', 'world.read', 'changes.list'],
    estimatedTime: '2 min',
    prompt: promptOf(
      'Collect what may stand behind the move of one market.',
      [
        'Call market.inspect for its change and links.',
        'Call world.read with op=explain for its item, else op=trail from its ticker.',
        'Call changes.list for the linked tickers and compare times.',
      ],
      'List facts in time order with their confidence; say «unexplained» when nothing fits.',
    ),
  },
  {
    slug: 'look-back',
    name: 'Look back',
    trigger: 'what did markets say on …',
    description: 'Reads any past instant as it was known then.',
    category: 'research',
    tags: ['history', 'asOf'],
    toolsUsed: ['world.read', 'market.get', 'index.history'],
    estimatedTime: '2 min',
    prompt: promptOf(
      'Say what was known at a past instant.',
      [
        'Call world.read with asOf set to the instant.',
        'Call market.get with the same asOf for each market named.',
        'Call index.history to place the day among others.',
      ],
      'Use nothing that became known later.',
    ),
  },
  {
    slug: 'morning-brief',
    name: 'Morning brief',
    trigger: 'brief me',
    description: 'What changed overnight, what is odd, what is next.',
    category: 'routine',
    tags: ['briefing', 'daily'],
    toolsUsed: ['world.delta', 'world.read', 'briefing.read', 'calendar.list'],
    estimatedTime: '2 min',
    prompt: promptOf(
      'Write a brief on prediction markets.',
      [
        'Call world.delta with since=12h; when nothing changed, say so and stop.',
        'Call world.read and pull the threads of the first three items.',
        'Call calendar.list with days=1.',
      ],
      'At most ten lines: changes, oddities, dates.',
    ),
  },
  {
    slug: 'week-ahead',
    name: 'Week ahead',
    trigger: 'what resolves this week',
    description: 'Dates of the next seven days and the prices that hang on them.',
    category: 'routine',
    tags: ['calendar'],
    toolsUsed: ['calendar.list', 'market.get'],
    estimatedTime: '2 min',
    prompt: promptOf(
      'List what is decided in the next seven days.',
      [
        'Call calendar.list with days=7.',
        'Call market.get for the market of each date of high importance.',
      ],
      'One line a date: day, title, price, change of the day.',
    ),
  },
  {
    slug: 'cross-venue-check',
    name: 'Cross-venue check',
    trigger: 'compare venues for …',
    description: 'The same question on both venues, net of fees, with both rules read.',
    category: 'trading',
    tags: ['pairs', 'arbitrage'],
    toolsUsed: ['crossvenue.pairs', 'market.get'],
    estimatedTime: '3 min',
    prompt: promptOf(
      'Check whether two venues price one question differently.',
      [
        'Call crossvenue.pairs with minConfidence=0.8 and sort=gap.',
        'Call market.get with depth=true for both legs and read both descriptions.',
        'Name every difference of rules, source and date before any number.',
      ],
      'Never call a gap riskless.',
    ),
  },
  {
    slug: 'edge-hunt',
    name: 'Edge hunt',
    trigger: 'what is tradable',
    description:
      'Contradictions between prices that are left after fees, with what speaks against them.',
    category: 'trading',
    tags: ['edges', 'ideas'],
    toolsUsed: ['ideas.list', 'contagion.read', 'crossvenue.pairs', 'market.inspect'],
    estimatedTime: '4 min',
    prompt: promptOf(
      'Find what can be traded now.',
      [
        'Call ideas.list, contagion.read and crossvenue.pairs.',
        'Call market.inspect for the best five and keep those whose executable edge is 3 cents or more.',
        'Drop what is in low liquidity or has a warning on rules.',
      ],
      'For each: side, price, edge after fees, catalyst, the strongest warning. No advice.',
    ),
  },
  {
    slug: 'liquidity-check',
    name: 'Liquidity check',
    trigger: 'can I trade …',
    description: 'What a size would cost in one market, and who is on the other side.',
    category: 'trading',
    tags: ['liquidity', 'depth'],
    toolsUsed: ['market.get', 'market.microstructure', 'regime.scan'],
    estimatedTime: '2 min',
    prompt: promptOf(
      'Judge whether a size can be traded.',
      [
        'Call market.get with depth=true and walk the levels for the size.',
        'Call market.microstructure for the usual spread and depth of the hour.',
        'Read the adverse-selection score of its regime.',
      ],
      'Say the average price, what it costs over the middle, and the hour that is usually best.',
    ),
  },
]
