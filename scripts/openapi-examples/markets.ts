import { firstOf, type Body, type RecordExample } from './recorder.ts'

/** Markets and the context around them. @returns the ticker of a market that has a pair */
export async function recordMarkets(record: RecordExample): Promise<string> {
  const pair = firstOf(await record('crossvenue.pairs'), 'pairs')
  const ticker = String((pair['a'] as Body)['ticker'])
  const market = { parameters: { ticker } }
  for (const operation of ['market.get', 'market.candles', 'market.history']) {
    await record(operation, market)
  }
  for (const operation of [
    'market.depth',
    'market.quotes',
    'market.trades',
    'market.microstructure',
  ]) {
    await record(operation, market)
  }
  await record('market.inspect', market)
  for (const operation of ['data.market', 'data.orderbook', 'data.candles', 'data.trades']) {
    await record(operation, market)
  }
  await record('markets.screen-by-tickers', { parameters: { tickers: ticker } })
  for (const operation of ['search.site', 'markets.search', 'query.ask', 'data.search']) {
    await record(operation, { parameters: { q: 'rate cut' } })
  }
  await record('guide.find', { parameters: { q: 'find mispriced markets' } })
  await record('world.delta', { parameters: { since: '1h', format: 'json' } })
  await record('world.read', { parameters: { format: 'json' } })
  await record('world.region', { parameters: { path: 'politics', format: 'json' } })
  await record('topic.feed', { parameters: { topic: 'politics', format: 'json' } })
  const slugOf = async (list: string, key: string) =>
    String(firstOf(await record(list), key)['slug'])
  const bySlug = async (operation: string, slug: string) =>
    record(operation, { parameters: { slug } })
  await bySlug('glossary.get', await slugOf('glossary.list', 'terms'))
  await bySlug('skills.get', await slugOf('skills.public', 'skills'))
  await bySlug('technicals.get', await slugOf('technicals.list', 'technicals'))
  await bySlug('opinions.get', await slugOf('opinions.list', 'opinions'))
  await bySlug('topics.get', 'politics')
  await bySlug('answers.get', await slugOf('odds.read', 'odds'))
  const idea = firstOf(await record('ideas.list'), 'ideas')
  await record('ideas.one', { parameters: { id: String(idea['id']) } })
  const curve = firstOf(await record('yieldcurves.read'), 'curves')
  await record('curves.one', { parameters: { event: String(curve['eventBase']) } })
  await record('query.discuss', { request: { question: 'Will the Fed cut rates?', ticker } })
  await record('content.enrich', {
    request: { content: 'The Fed signalled a rate cut in December.', topics: ['rates'] },
  })
  await record('sql.ask', { request: { sql: 'select ticker, title from markets limit 1' } })
  return ticker
}
