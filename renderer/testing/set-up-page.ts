import { cleanup } from '@testing-library/svelte'
import { afterEach } from 'vitest'

/** jsdom lays nothing out, so nothing is ever resized. */
class StillObserver implements ResizeObserver {
  observe(): void {
    return
  }
  unobserve(): void {
    return
  }
  disconnect(): void {
    return
  }
}

globalThis.ResizeObserver = StillObserver
afterEach(cleanup)
