import { enable, openAutopilot } from './autopilot.ts'

/**
 * Runs a tick over state.sqlite in the working folder, and prints the market of its second order
 * while this is sent. The tick then waits for the kill.
 */
const autopilot = await openAutopilot('state.sqlite')
await enable(autopilot)
let sent = 0
autopilot.hooks = {
  async onSend(ticker) {
    sent += 1
    if (sent < 2) return
    process.stdout.write(`${ticker}\n`)
    // A timer, because a process without one ends by itself.
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
  },
}
await autopilot.send('POST', '/api/portfolio/trigger?sync=true')
