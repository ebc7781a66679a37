import { tick } from 'svelte'

const NAMED = /^(Enter|Escape|Backspace|Tab|Arrow(Up|Down))$/

/** Keys of the terminal; any other key is left to the browser and not buffered. */
function isOurs({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing) return false
  if (ctrlKey || metaKey) return key === 'k' && !altKey
  return key.length === 1 || (!altKey && NAMED.test(key))
}

/** Types a character into the focused field, as a keyboard would. */
function type(field: HTMLInputElement, { key }: KeyboardEvent): void {
  const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0]
  if (key === 'Backspace') {
    field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  } else field.setRangeText(key, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Buffers keys that are pressed while the terminal is built, in order. */
export class EarlyKeys {
  readonly #queue: KeyboardEvent[] = []
  readonly #record = (event: KeyboardEvent): void => {
    if (!isOurs(event)) return
    event.preventDefault()
    this.#queue.push(event)
  }

  constructor() {
    window.addEventListener('keydown', this.#record, { capture: true })
  }

  /** Replays the buffered keys to the focused element, one after another, and stops buffering. */
  async replay(): Promise<void> {
    await tick()
    window.removeEventListener('keydown', this.#record, { capture: true })
    for (const { key, code, shiftKey, altKey, ctrlKey, metaKey } of this.#queue.splice(0)) {
      const event = new KeyboardEvent('keydown', {
        key,
        code,
        shiftKey,
        altKey,
        ctrlKey,
        metaKey,
        bubbles: true,
        cancelable: true,
      })
      const field = document.activeElement ?? document.body
      const isFree = field.dispatchEvent(event)
      const isText = !altKey && !ctrlKey && !metaKey && (key.length === 1 || key === 'Backspace')
      if (isFree && isText && field instanceof HTMLInputElement) type(field, event)
      // A key may have moved the focus; the next key goes to the new element.
      await tick()
    }
  }
}
