import { afterPaint } from './lib/after-paint.ts'
import { EarlyKeys } from './shell/bar/early-keys.ts'

/** Keys are buffered from here on, although no handler exists yet. */
export const earlyKeys = new EarlyKeys()

// Paint the document's static content before the terminal is built, which takes a while.
await new Promise<void>((resolve) => afterPaint(resolve))

// Preload the fonts that the first text uses while the terminal is built.
for (const family of ['Inter Variable', 'JetBrains Mono Variable']) {
  void document.fonts.load(`13px '${family}'`).catch(() => {})
}
