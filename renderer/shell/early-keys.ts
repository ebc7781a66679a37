import { tick } from 'svelte'

const NAMED = /^(Enter|Escape|Backspace|Tab|Arrow(Up|Down))$/

/** The keys of the terminal; whatever else is pressed is for the browser, and is not kept. */
function isOurs({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing) return false
  if (ctrlKey || metaKey) return key === 'k' && !altKey
  return key.length === 1 || (!altKey && NAMED.test(key))
}

/** Types a character into the field that has the focus, as a keyboard would. */
function type(field: HTMLInputElement, { key }: KeyboardEvent): void {
  const [start, end] = [field.selectionStart ?? 0, field.selectionEnd ?? 0]
  if (key === 'Backspace') {
    field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  } else field.setRangeText(key, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

/** Keys that are pressed while the terminal is made, kept for it in their order. */
export class EarlyKeys {
  readonly #kept: KeyboardEvent[] = []
  readonly #keep = (event: KeyboardEvent): void => {
    if (!isOurs(event)) return
    event.preventDefault()
    this.#kept.push(event)
  }

  constructor() {
    window.addEventListener('keydown', this.#keep, { capture: true })
  }

  /** Hands the keys over to whatever has the focus by then, one after another, and keeps no more. */
  async handOver(): Promise<void> {
    await tick()
    window.removeEventListener('keydown', this.#keep, { capture: true })
    for (const { key, code, shiftKey, altKey, ctrlKey, metaKey } of this.#kept.splice(0)) {
      const event = new KeyboardEvent('keydown', {
        ...{ key, code, shiftKey, altKey, ctrlKey, metaKey },
        ...{ bubbles: true, cancelable: true },
      })
      const field = document.activeElement ?? document.body
      const isFree = field.dispatchEvent(event)
      const isText = !altKey && !ctrlKey && !metaKey && (key.length === 1 || key === 'Backspace')
      if (isFree && isText && field instanceof HTMLInputElement) type(field, event)
      // A key may have moved the focus, which the next one is for.
      await tick()
    }
  }
}
