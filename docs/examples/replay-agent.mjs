import { parseArgs } from 'node:util'

/**
 * An agent that uses only HTTP. It reads the world once and polls the markets, buys markets that rose
 * since the previous poll, sells them again when they fall back or after a day, and finally prints
 * its trades. Against a replay in step mode it moves the clock itself; against a live or demo
 * service it waits. Nothing else differs. All orders are paper orders.
 *
 *   augury replay --from 2025-12-10 --to 2025-12-17 --speed step --port 4871
 *   node replay-agent.mjs http://127.0.0.1:4871 --key svc_live_…      (a week, hour by hour)
 *   node replay-agent.mjs http://127.0.0.1:4870 --key svc_live_… --polls 3 --every 60
 */
const USAGE =
  'Usage: node replay-agent.mjs [ADDRESS] [--key K] [--every SECONDS] [--polls N] [--moved CENTS] [--contracts N] [--held N]'

function readOptions() {
  const option = (fallback) => ({ type: 'string', default: fallback })
  const options = {
    key: { type: 'string' },
    every: option('3600'),
    polls: option('1000'),
    moved: option('5'),
    contracts: option('5'),
    held: option('10'),
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`)
    process.exit(2)
  }
}
const { values, positionals } = readOptions()
const [address = 'http://127.0.0.1:4870'] = positionals
const key = values.key ?? process.env.AUGURY_API_KEY
const everySeconds = Number(values.every)
const maxPolls = Number(values.polls)
const movedCents = Number(values.moved)
const contracts = Number(values.contracts)
const maxMarkets = Number(values.held)
const maxHoldingMs = 86_400_000
if (key === undefined) {
  process.stderr.write('A key is needed to trade: --key svc_live_… (augury keys create)\n')
  process.exit(2)
}

async function request(path, body, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (response.status === 404) return null
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
const print = (line) => process.stdout.write(`${line}\n`)

/** Waits or advances the replay; returns false at its end. */
async function advance() {
  const replay = await request('/api/replay')
  if (replay === null) {
    await new Promise((resolve) => setTimeout(resolve, everySeconds * 1_000))
    return true
  }
  if (replay.state === 'ended') return false
  if (replay.speed === 'step') {
    const { state } = await request('/api/replay/step', { n: everySeconds })
    return state !== 'ended'
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return true
}

/** Sets its own limits if its user has set none. */
async function configure() {
  const { isDefault } = await request('/api/portfolio/config')
  if (!isDefault) return
  const limits = { minAdjIy: 0, maxLas: 10, minTauDays: 0, excludeCategories: [] }
  await request('/api/portfolio/config', { enabled: true, maxOrdersPerTick: 20, ...limits }, 'PUT')
}

/** Takes offers at up to `limit` cents, within the next two hours. */
async function submitIntent(time, action, direction, ticker, quantity, limit, rationale) {
  const expireAt = new Date(Date.parse(time) + 7_200_000).toISOString()
  const order = { action, direction, marketId: ticker, targetQuantity: quantity, maxPrice: limit }
  const { status } = await request('/api/intents', {
    ...order,
    rationale,
    expireAt,
    autoExecute: true,
  })
  print(
    `${time} ${action} ${quantity} ${direction} ${ticker} at ${limit ?? 'any price'}: ${status}`,
  )
}

const lastPrices = new Map()
const tally = { polls: 0, moves: 0, intents: 0 }

async function poll() {
  const { time } = await request('/api/health')
  const { markets } = await request('/api/public/markets?limit=200')
  const { data: held } = await request('/api/portfolio/positions?limit=500')
  const open = new Map(
    held.filter(({ status }) => status === 'open').map((one) => [one.marketId, one]),
  )
  const { data: waiting } = await request(
    '/api/intents?limit=500&status=armed,triggered,executing,partial',
  )
  const busy = new Set(waiting.map(({ marketId }) => marketId))
  tally.polls += 1
  let room = maxMarkets - open.size - busy.size
  for (const { ticker, price, bestAsk } of markets) {
    const before = lastPrices.get(ticker)
    if (price !== null) lastPrices.set(ticker, price)
    if (price === null || before === undefined || busy.has(ticker)) continue
    const move = price - before
    if (Math.abs(move) >= movedCents) tally.moves += 1
    const position = open.get(ticker)
    if (position !== undefined) {
      const isOld = Date.parse(time) - Date.parse(position.openedAt) >= maxHoldingMs
      if (move > -movedCents && !isOld) continue
      tally.intents += 1
      const why = isOld ? 'held for a day' : `fell by ${-move} cents`
      await submitIntent(time, 'sell', position.direction, ticker, position.quantity, null, why)
    } else if (move >= movedCents && bestAsk !== null && bestAsk <= 90 && room > 0) {
      room -= 1
      tally.intents += 1
      await submitIntent(time, 'buy', 'yes', ticker, contracts, bestAsk, `rose by ${move} cents`)
    }
  }
}

const dollars = (value) => `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`

/** The result: the report of a replay, else the current account. */
async function report() {
  const answer = await request('/api/replay/report')
  if (answer === null) {
    const { balance, drawdown } = await request('/api/portfolio/risk')
    const { data } = await request('/api/portfolio/fills?limit=500')
    print(
      `fills ${data.length}, balance ${dollars(balance.totalCents / 100)}, equity ${dollars(drawdown.equityCents / 100)}`,
    )
    return
  }
  const { trades, fees, profit, endEquity, maxDrawdown, hitRate, entries, invalidatedBy } =
    answer.report
  print(
    `trades ${trades}, fees ${dollars(fees)}, profit ${dollars(profit)}, equity ${dollars(endEquity)}`,
  )
  print(
    `largest drawdown ${(maxDrawdown * 100).toFixed(2)} %, hit rate ${hitRate === null ? 'unknown' : `${(hitRate * 100).toFixed(0)} %`}, Brier of entries ${entries === null ? 'unknown' : entries.brier.toFixed(4)}`,
  )
  for (const why of invalidatedBy) print(`caveat: ${why}`)
  for (const file of answer.files) print(`file: ${file}`)
}

await configure()
const world = await request('/api/agent/world?format=json')
print(`the world of ${world.asOf} is ${world.regime.label}`)
do await poll()
while (tally.polls < maxPolls && (await advance()))
print(JSON.stringify(tally))
await report()
