import { chordText, pressName, pressOf } from '../../lib/chord.ts'
import {
  isSingleKey,
  keyName,
  CONFIGURABLE_SCOPES,
  type ChangedChords,
  type KeyBinding,
  type KeyRegistry,
  type ConfigurableScope,
} from '../../lib/keyboard.ts'
import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'

const NAME = 'augury.keys'
const VERSION = 1

/** A command line bound to a chord. */
export interface CustomKey {
  readonly chord: string
  readonly line: string
}

/** A key as shown to the user. */
export interface KeyRowOf {
  readonly scope: ConfigurableScope
  readonly standard: string
  /** The current chord; null when it is unbound. */
  readonly chord: string | null
  readonly label: string
}

/** A conflict of a chord. */
export interface Clash {
  /** The binding that has the chord now. */
  readonly label: string
  /** True: it loses the chord. False: both keep it, and the narrower scope wins. */
  readonly loses: boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isChord(value: unknown): value is string {
  try {
    return typeof value === 'string' && value !== '' && pressName(value) !== ''
  } catch {
    return false
  }
}

const readChords = (value: unknown): ChangedChords =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (entry): entry is [string, string | null] =>
        /^(global|bar|pane) /.test(entry[0]) && (entry[1] === null || isChord(entry[1])),
    ),
  )

const readCustomKeys = (value: unknown): readonly CustomKey[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).flatMap((row) =>
    isRecord(row) && isChord(row['chord']) && typeof row['line'] === 'string'
      ? [{ chord: row['chord'], line: row['line'] }]
      : [],
  )

/** The user's changed keys; stored on this machine. */
export class KeySettings {
  readonly #storage: KeyValueStore
  readonly #keys: KeyRegistry
  chords = $state.raw<ChangedChords>({})
  own = $state.raw<readonly CustomKey[]>([])
  /** Enable single-letter keys in panes; people who dictate turn them off. */
  singleKeys = $state(true)

  constructor(storage: KeyValueStore, keys: KeyRegistry) {
    this.#storage = storage
    this.#keys = keys
    this.reload()
  }

  /** Reloads the stored value, which another window may have changed. */
  reload(): void {
    const storage = this.#storage
    const stored = readStored(storage, NAME, VERSION, ({ chords, own, singleKeys }) => ({
      chords: readChords(chords),
      own: readCustomKeys(own),
      singleKeys: singleKeys !== false,
    }))
    if (stored === null) return
    Object.assign(this, stored)
    this.#apply()
  }

  /** The display form of a key's chord; null when it is unbound. */
  chordOf(scope: ConfigurableScope, standard: string): string | null {
    const changedChord = this.chords[keyName(scope, standard)]
    const chord = changedChord === undefined ? standard : changedChord
    const isOff = scope === 'pane' && !this.singleKeys
    return chord === null || (isOff && isSingleKey(pressOf(chord))) ? null : chordText(chord)
  }

  /** The label of a button with the chord of its key: `Refresh (r)`. */
  hint(label: string, scope: ConfigurableScope, standard: string): string {
    const chord = this.chordOf(scope, standard)
    return chord === null ? label : `${label} (${chord})`
  }

  /** Every key of a scope. Keys of panes are those of the open panes. */
  rows(scope: ConfigurableScope): readonly KeyRowOf[] {
    const { chords } = this
    return this.#keys.standard(scope).map(({ chord: standard, labels }) => {
      const changedChord = chords[keyName(scope, standard)]
      const chord = changedChord === undefined ? standard : changedChord
      return { scope, standard, chord, label: labels.join(', ') }
    })
  }

  /** Bindings that conflict with this chord for a key of `scope`. */
  clashes(scope: ConfigurableScope, standard: string | null, chord: string): readonly Clash[] {
    const press = pressName(chord)
    const conflictingScopes = CONFIGURABLE_SCOPES.filter(
      (other) => scope === 'global' || other === scope || other === 'global',
    )
    const defaultClashes = conflictingScopes.flatMap((other) =>
      this.rows(other)
        .filter((row) => row.chord !== null && pressName(row.chord) === press)
        .filter((row) => other !== scope || row.standard !== standard)
        .map(({ label }) => ({ label, loses: other === scope })),
    )
    const customKeys =
      scope === 'global' ? this.own.filter((key) => pressName(key.chord) === press) : []
    return [...defaultClashes, ...customKeys.map(({ line }) => ({ label: line, loses: true }))]
  }

  /** Binds a key to another chord; any other key of the same scope loses that chord. */
  rebind(scope: ConfigurableScope, standard: string, chord: string | null): void {
    const unboundChords = chord === null ? {} : this.#unbind(scope, chord)
    const name = keyName(scope, standard)
    const others = Object.entries({ ...this.chords, ...unboundChords }).filter(
      ([other]) => other !== name,
    )
    this.chords = Object.fromEntries(chord === standard ? others : [...others, [name, chord]])
    this.save()
  }

  /** The user's command on a chord. */
  customKeyOn(chord: string): CustomKey | null {
    const press = pressName(chord)
    return this.own.find((key) => pressName(key.chord) === press) ?? null
  }

  /** Binds a command line to a chord. */
  bindLine(chord: string, line: string): void {
    this.chords = { ...this.chords, ...this.#unbind('global', chord) }
    this.own = [...this.own, { chord, line }]
    this.save()
  }

  remove(key: CustomKey): void {
    this.own = this.own.filter((other) => other !== key)
    this.save()
  }

  /** Resets all shortcuts; the user's commands stay. */
  reset(): void {
    this.chords = {}
    this.save()
  }

  /** The user's commands as bindings. */
  bindings(run: (line: string) => void): readonly KeyBinding[] {
    return this.own.map(({ chord, line }) => ({
      chord,
      label: line,
      isOwn: true,
      run: () => run(line),
    }))
  }

  save(): void {
    const { chords, own, singleKeys } = this
    writeStored(this.#storage, NAME, VERSION, { chords, own, singleKeys })
    this.#apply()
  }

  #unbind(scope: ConfigurableScope, chord: string): ChangedChords {
    const press = pressName(chord)
    if (scope === 'global') {
      this.own = this.own.filter((key) => pressName(key.chord) !== press)
    }
    return Object.fromEntries(
      this.rows(scope)
        .filter((row) => row.chord !== null && pressName(row.chord) === press)
        .map((row) => [keyName(scope, row.standard), null]),
    )
  }

  #apply(): void {
    this.#keys.change(this.chords)
    this.#keys.singleKeys = this.singleKeys
  }
}
