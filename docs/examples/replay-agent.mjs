/**
 * An agent that knows nothing but HTTP. It reads the markets, notes what moved since it last looked, and
 * goes on until time is up. Against a replay in step mode it moves the clock itself; against a live or
 * demo service it waits. Nothing else differs.
 *
 *   augury replay --from 2026-11-13T00:00:00Z --to 2026-11-20T00:00:00Z --speed step --port 4871
 *   node replay-agent.mjs http://127.0.0.1:4871 --key svc_live_…      (a week, hour by hour)
 *   node replay-agent.mjs http://127.0.0.1:4870 --looks 3 --every 60  (the live or demo service)
 */
const [address = 'http://127.0.0.1:4870', ...rest] = process.argv.slice(2)
const option = (name, fallback) => {
  const at = rest.indexOf(`--${name}`)
  return at === -1 ? fallback : rest[at + 1]
}
const key = option('key', process.env.AUGURY_API_KEY)
const everySeconds = Number(option('every', 3_600))
const looks = Number(option('looks', 1_000))
const movedCents = Number(option('moved', 5))
const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }

async function ask(path, sending = {}) {
  const response = await fetch(`${address}${path}`, {
    ...sending,
    headers: { ...headers, ...(sending.body && { 'content-type': 'application/json' }) },
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Lets time pass; false when there is none left. */
async function pass() {
  const replay = await ask('/api/replay')
  if (replay === null) {
    await new Promise((resolve) => setTimeout(resolve, everySeconds * 1_000))
    return true
  }
  if (replay.state === 'ended') return false
  if (replay.speed === 'step') {
    await ask('/api/replay/step', { method: 'POST', body: JSON.stringify({ n: everySeconds }) })
  } else await new Promise((resolve) => setTimeout(resolve, 1_000))
  return true
}

const seen = new Map()
const tally = { looks: 0, prices: 0, moves: 0 }
do {
  const { time } = await ask('/api/health')
  const { markets } = await ask('/api/public/markets?limit=200')
  tally.looks += 1
  for (const { ticker, price } of markets) {
    if (price === null) continue
    tally.prices += 1
    const before = seen.get(ticker)
    if (before !== undefined && Math.abs(price - before) >= movedCents) {
      tally.moves += 1
      process.stdout.write(`${time} ${ticker} ${before} -> ${price}\n`)
    }
    seen.set(ticker, price)
  }
} while (tally.looks < looks && (await pass()))
process.stdout.write(`${JSON.stringify(tally)}\n`)
