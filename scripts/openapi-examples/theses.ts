import type { RecordExample } from './recorder.ts'

/** Theses with their work and publication. */
export async function recordTheses(record: RecordExample, ticker: string): Promise<void> {
  const claim = 'The Fed will cut rates by 25 basis points in December 2026'
  const { id } = await record('thesis.create', {
    parameters: { sync: 'true' },
    request: { rawThesis: claim },
  })
  const ofThesis = { parameters: { id: String(id) } }
  await record('thesis.nodes.update', {
    ...ofThesis,
    request: {
      updates: [{ nodeId: 'n1', probability: 0.8 }],
      reason: 'the labour market weakens',
    },
  })
  await record('thesis.nodes.change', {
    ...ofThesis,
    request: { updates: [{ nodeId: 'n1', locked: false }] },
  })
  await record('thesis.whatif', { ...ofThesis, request: { overrides: { n1: 0.4 } } })
  await record('thesis.signal', {
    ...ofThesis,
    request: { type: 'news', source: 'wire', content: 'A governor confirms the December cut' },
  })
  await record('thesis.evaluate', { ...ofThesis, request: {} })
  await record('thesis.evaluations', ofThesis)
  await record('thesis.context', ofThesis)
  await record('thesis.changes', ofThesis)
  await record('thesis.prompt', ofThesis)
  await record('thesis.heartbeat', ofThesis)
  await record('thesis.heartbeat.change', { ...ofThesis, request: { newsIntervalMin: 120 } })
  await record('thesis.backtest', { parameters: { id: String(id), window: '1d' } })
  await record('thesis.feed')
  await record('thesis.augment', { ...ofThesis, request: { depth: 1 } })
  const { id: position } = await record('thesis.positions.add', {
    ...ofThesis,
    request: {
      venue: 'venue_a',
      externalMarketId: ticker,
      marketTitle: 'A cut in December',
      direction: 'yes',
      entryPrice: 62,
      size: 50,
    },
  })
  const ofPosition = { parameters: { id: String(id), positionId: String(position) } }
  await record('thesis.positions.change', { ...ofPosition, request: { size: 40 } })
  await record('thesis.positions.exit', { ...ofPosition, request: { exitPrice: 70 } })
  const { id: strategy } = await record('thesis.strategies.add', {
    ...ofThesis,
    request: { marketId: ticker, direction: 'yes', entryBelow: 60, takeProfit: 75 },
  })
  await record('thesis.strategies', ofThesis)
  const ofStrategy = { parameters: { id: String(id), strategyId: String(strategy) } }
  await record('thesis.strategies.change', { ...ofStrategy, request: { priority: 80 } })
  await record('thesis.strategies.remove', ofStrategy)
  await record('thesis.by-ticker', { parameters: { ticker } })
  const { id: copy } = await record('thesis.fork', {
    ...ofThesis,
    request: { reason: 'another view' },
  })
  const { slug } = await record('thesis.publish', {
    ...ofThesis,
    request: { slug: 'december-cut' },
  })
  await record('thesis.public', { parameters: { slug: String(slug) } })
  await record('theses.public')
  await record('thesis.get', ofThesis)
  await record('thesis.list')
  await record('thesis.change', { ...ofThesis, request: { status: 'paused' } })
  await record('thesis.unpublish.post', { ...ofThesis, request: {} })
  await record('thesis.unpublish', ofThesis)
  // The answer of the first documented status: an own thesis that is formed under another claim.
  const { id: evolved } = await record('thesis.fork', {
    parameters: { id: String(id), sync: 'true' },
    request: { newRawThesis: 'The Fed will cut rates by 50 basis points in December 2026' },
  })
  await record('thesis.remove', ofThesis)
  await record('thesis.remove', { parameters: { id: String(copy) } })
  await record('thesis.remove', { parameters: { id: String(evolved) } })
}
