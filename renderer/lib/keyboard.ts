import { matchKeybindingPress, type KeybindingPress } from 'tinykeys'
import { pressOf } from './chord.ts'

/**
 * Where a key acts. `global` always; `pane:<id>` while that pane has the focus; `bar` in the
 * command line; `menu` while a menu is open.
 */
export type Scope = 'global' | 'bar' | 'menu' | `pane:${string}`

export interface KeyBinding {
  /** tinykeys notation, `$mod` for Ctrl or Cmd: `$mod+k`, `Shift+F6`, `j`. */
  readonly chord: string
  /** Description shown by help. */
  readonly label: string
  /** A user-defined key; it is edited where it was created. */
  readonly isOwn?: boolean
  /** Returns false when the key did nothing, so that an outer scope may handle it. */
  readonly run: (event: KeyboardEvent) => unknown
}

interface Bound extends KeyBinding {
  readonly scope: Scope
}

/** A binding with the user's changes applied. */
export interface ActingBinding extends KeyBinding {
  /** Its default chord. */
  readonly standard: string
}

/** Scopes whose keys a user may change; menus keep theirs. */
export const CONFIGURABLE_SCOPES = ['global', 'bar', 'pane'] as const
export type ConfigurableScope = (typeof CONFIGURABLE_SCOPES)[number]
const configurableScope = (scope: Scope): ConfigurableScope | null =>
  CONFIGURABLE_SCOPES.find((configurable) => scope.startsWith(configurable)) ?? null

/** The name under which a changed key is stored: `pane [` is the same key in every pane. */
export const keyName = (configurable: ConfigurableScope, standard: string): string =>
  `${configurable} ${standard}`

/** Changed chords by `keyName`; null unbinds the key. */
export type ChangedChords = Readonly<Record<string, string | null>>

/** True for chords that are a character by themselves: these never fire while text is typed. */
export function isSingleKey(press: KeybindingPress): boolean {
  const [required, , key] = press
  const character = typeof key === 'string' ? key.length === 1 || key === 'Space' : true
  return character && required.every((modifier) => modifier === 'Shift')
}

const EDITING = /^(Arrow\w+|Home|End|PageUp|PageDown|Delete|Backspace|Enter)$/

/**
 * True for keys that move and edit in a text field: panes do not handle them while text is typed.
 */
function editsText([required, , key]: KeybindingPress): boolean {
  return required.length === 0 && typeof key === 'string' && EDITING.test(key)
}

/** Whether the element is a text field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'range', 'button'].includes(target.type))
  )
}

/** All key bindings of the page: they can be listed, and the narrowest scope wins. */
export class KeyRegistry {
  readonly #bindingsByScope = new Map<Scope, Bound[]>()
  /** Enable single-letter keys in panes; people who dictate turn them off. */
  singleKeys = true

  #changedChords: ChangedChords = {}
  readonly #presses = new Map<string, KeybindingPress>()

  /** The user's chords in place of the defaults. @throws Error for a sequence */
  change(chords: ChangedChords): void {
    for (const chord of Object.values(chords)) if (chord !== null) pressOf(chord)
    this.#changedChords = chords
  }

  /**
   * Binds keys in a scope; returns a function that unbinds them. A later binding of a chord wins.
   */
  bind(scope: Scope, bindings: readonly KeyBinding[]): () => void {
    const newBindings = bindings.map((binding): Bound => {
      this.#pressOf(binding.chord)
      return { ...binding, scope }
    })
    this.#bindingsByScope.set(scope, [...newBindings, ...(this.#bindingsByScope.get(scope) ?? [])])
    return () => {
      const otherBindings = (this.#bindingsByScope.get(scope) ?? []).filter(
        (binding) => !newBindings.includes(binding),
      )
      if (otherBindings.length === 0) this.#bindingsByScope.delete(scope)
      else this.#bindingsByScope.set(scope, otherBindings)
    }
  }

  /** The effective keys of a scope, newest binding first, one row a chord. */
  list(scope: Scope): readonly ActingBinding[] {
    const seenChords = new Set<string>()
    return (this.#bindingsByScope.get(scope) ?? []).flatMap((binding) => {
      const chord = this.#chordOf(binding)
      if (chord === null || seenChords.has(chord)) return []
      seenChords.add(chord)
      return [{ ...binding, chord, standard: binding.chord }]
    })
  }

  /** Every default key of a place with all its actions there. */
  standard(
    configurable: ConfigurableScope,
  ): readonly { readonly chord: string; readonly labels: readonly string[] }[] {
    const labels = new Map<string, Set<string>>()
    for (const [scope, bindings] of this.#bindingsByScope) {
      if (configurableScope(scope) !== configurable) continue
      for (const { chord, label, isOwn } of bindings) {
        if (isOwn === true) continue
        labels.set(chord, (labels.get(chord) ?? new Set()).add(label))
      }
    }
    return [...labels].map(([chord, names]) => ({ chord, labels: [...names] }))
  }

  #chordOf({ scope, chord }: Bound): string | null {
    const configurable = configurableScope(scope)
    const changedChord =
      configurable === null ? undefined : this.#changedChords[keyName(configurable, chord)]
    return changedChord === undefined ? chord : changedChord
  }

  #pressOf(chord: string): KeybindingPress {
    const existing = this.#presses.get(chord)
    if (existing !== undefined) return existing
    const press = pressOf(chord)
    this.#presses.set(chord, press)
    return press
  }

  /**
   * Dispatches a key to the scopes, narrowest first. Returns whether one handled it; then the
   * browser's default action is prevented.
   */
  handle(event: KeyboardEvent, scopes: readonly Scope[]): boolean {
    const isInTextField = isTyping(event.target)
    for (const scope of scopes) {
      for (const binding of this.#bindingsByScope.get(scope) ?? []) {
        const chord = this.#chordOf(binding)
        if (chord === null) continue
        const press = this.#pressOf(chord)
        if (!matchKeybindingPress(event, press)) continue
        const single = isSingleKey(press)
        if (single && isInTextField) continue
        if (isInTextField && scope.startsWith('pane:') && editsText(press)) continue
        if (single && !this.singleKeys && scope.startsWith('pane:')) continue
        if (binding.run(event) === false) continue
        event.preventDefault()
        return true
      }
    }
    return false
  }
}
