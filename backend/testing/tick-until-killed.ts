import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { enable, openAutopilot } from './autopilot.ts'

/**
 * Runs a tick over state.sqlite in the working folder until a step: its decision, or the sending of
 * its n-th order. It prints the step and then waits for the kill.
 */
const [step = 'decide'] = parseArgs({ allowPositionals: true }).positionals
const stopAt = async (reached: string): Promise<void> => {
  if (reached !== step) return
  flushCompileCache()
  process.stdout.write(`${reached}\n`)
  // A timer, because a process without one ends by itself.
  await new Promise((resolve) => setTimeout(resolve, 3_600_000))
}
const autopilot = await openAutopilot('state.sqlite')
await enable(autopilot)
let sent = 0
autopilot.hooks = {
  onDecide: () => stopAt('decide'),
  onSend: () => stopAt(String((sent += 1))),
}
await autopilot.send('POST', '/api/portfolio/trigger?sync=true')
await stopAt('ended')
