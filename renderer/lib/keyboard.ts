import { matchKeybindingPress, parseKeybinding, type KeybindingPress } from 'tinykeys'

/**
 * Where a key acts. `global` always; `pane:<id>` while that pane has the focus; `bar` in the
 * command line; `menu` while a menu is open.
 */
export type Scope = 'global' | 'bar' | 'menu' | `pane:${string}`

export interface KeyBinding {
  /** tinykeys notation, `$mod` for Ctrl or Cmd: `$mod+k`, `Shift+F6`, `j`. */
  readonly chord: string
  /** What the key does, as help shows it. */
  readonly label: string
  /** Returns false when the key had nothing to do, so that an outer scope may have it. */
  readonly run: (event: KeyboardEvent) => unknown
}

interface Bound extends KeyBinding {
  readonly press: KeybindingPress
  readonly scope: Scope
}

/** True for chords that are a character by themselves: these never act while text is typed. */
export function isSingleKey(press: KeybindingPress): boolean {
  const [required, , key] = press
  const character = typeof key === 'string' ? key.length === 1 : true
  return character && required.every((modifier) => modifier === 'Shift')
}

/** Is this where characters are typed? */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type))
  )
}

/** All keys of the page in one place: what is bound can be listed, and the narrowest scope wins. */
export class KeyRegistry {
  readonly #bound = new Map<Scope, Bound[]>()
  /** Single letters act in panes; people who dictate turn them off. */
  singleKeys = true

  /** Binds keys in a scope; returns how to unbind them. A later binding of a chord wins. */
  bind(scope: Scope, bindings: readonly KeyBinding[]): () => void {
    const added = bindings.map((binding): Bound => {
      const [press, ...rest] = parseKeybinding(binding.chord)
      if (press === undefined || rest.length > 0) {
        throw new Error(`A chord is one press, was «${binding.chord}»`)
      }
      return { ...binding, press, scope }
    })
    this.#bound.set(scope, [...added, ...(this.#bound.get(scope) ?? [])])
    return () => {
      const left = (this.#bound.get(scope) ?? []).filter((binding) => !added.includes(binding))
      if (left.length === 0) this.#bound.delete(scope)
      else this.#bound.set(scope, left)
    }
  }

  /** The keys of a scope, newest binding first, one row a chord. */
  list(scope: Scope): readonly KeyBinding[] {
    const seen = new Set<string>()
    return (this.#bound.get(scope) ?? []).filter(
      ({ chord }) => !seen.has(chord) && seen.add(chord).size > 0,
    )
  }

  /**
   * Offers a key to the scopes, narrowest first. Returns whether one took it; then the browser's
   * own action is prevented.
   */
  handle(event: KeyboardEvent, scopes: readonly Scope[]): boolean {
    const typing = isTyping(event.target)
    for (const scope of scopes) {
      for (const binding of this.#bound.get(scope) ?? []) {
        if (!matchKeybindingPress(event, binding.press)) continue
        const single = isSingleKey(binding.press)
        if (single && typing) continue
        if (single && !this.singleKeys && scope.startsWith('pane:')) continue
        if (binding.run(event) === false) continue
        event.preventDefault()
        return true
      }
    }
    return false
  }
}

const NAMES: Readonly<Record<string, string>> = {
  $mod: 'Ctrl',
  Control: 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** A chord as people read it: `$mod+k` is `Ctrl+K`. */
export const chordText = (chord: string): string =>
  chord
    .split('+')
    .map((key) => NAMES[key] ?? key.replace(/^(Key|Digit)(?=.$)/, ''))
    .map((key) => (/^[a-z]$/.test(key) && chord.includes('+') ? key.toUpperCase() : key))
    .join('+')
