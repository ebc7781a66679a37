import { afterPaint } from './lib/after-paint.ts'
import { EarlyKeys } from './shell/early-keys.ts'

/** From here on no key is lost, though nobody answers one yet. */
export const earlyKeys = new EarlyKeys()

// What the document itself says is shown before the terminal is made, which takes a while.
await new Promise<void>((resolve) => afterPaint(resolve))

// Fetched while the terminal is made, which is what is first written in them.
for (const family of ['Inter Variable', 'JetBrains Mono Variable']) {
  void document.fonts.load(`13px '${family}'`).catch(() => {})
}
