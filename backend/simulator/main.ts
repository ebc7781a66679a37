import { parseArgs } from 'node:util'
import { systemClock } from '../lib/clock.ts'
import { createSimulator } from './simulator.ts'

/**
 * The simulator as its own process: prints one JSON line on stdout when both venues respond, and
 * ends with its parent (stdin closes) or on SIGTERM and SIGINT.
 */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      markets: { type: 'string', default: '2000' },
      ports: { type: 'string', default: '0' },
    },
  })
  const simulator = await createSimulator({
    seed: integer('seed', values.seed, 0),
    markets: integer('markets', values.markets, 1),
    clock: systemClock,
    ports: values.ports.split(',').map((port) => integer('ports', port, 0)),
  })
  let isClosing = false
  const close = (): void => {
    if (isClosing) return
    isClosing = true
    void simulator.close().then(() => process.exit(0))
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
  process.stdin.on('end', close)
  process.stdin.on('close', close)
  process.stdin.resume()
  const { venueA, venueB } = simulator
  process.stdout.write(`${JSON.stringify({ ready: true, venueA, venueB })}\n`)
}

function integer(name: string, text: string, min: number): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= min) return value
  process.stderr.write(`--${name} must be an integer of at least ${min}, was ${text}\n`)
  process.exit(2)
}

await run()
