import { afterPaint } from './lib/after-paint.ts'

// What the document itself says is shown before the terminal is made, which takes a while.
await new Promise<void>((resolve) => afterPaint(resolve))
