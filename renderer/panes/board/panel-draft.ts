import type { Panel } from '../../../backend/contract/panels/panels.ts'
import type { PanelSpec } from '../../../backend/contract/panels/panel-spec.ts'
import type { ScreenWindow, Visualization } from '../../../backend/contract/panels/panel-names.ts'
import type { Command } from '../../shell/commands/command.ts'
import { typedNumber } from '../../lib/typed-number.ts'
import { SUBJECTS, WINDOWS, type PanelSubject } from '../../shell/commands/watch/watch-commands.ts'
import {
  defaultVisualization,
  nameOf,
  appliedFilters as filterSupportOf,
  subjectOf,
  wordOf,
} from './board-labels.ts'

export const UNITS = ['s', 'min', 'h'] as const
export type Unit = (typeof UNITS)[number]
const SECONDS: Readonly<Record<Unit, number>> = { s: 1, min: 60, h: 3_600 }

/** The values of a panel's form, as typed. */
export interface PanelDraft {
  /** The word of the command line for the panel's content. */
  subject: string
  /** Blank: the default name of the content. */
  title: string
  visualization: Visualization
  isManual: boolean
  every: string
  unit: Unit
  /** Bounds of the probability, percent. */
  minPercent: string
  maxPercent: string
  window: ScreenWindow
  /** Separated by blanks or commas. */
  tickers: string
}

export const subjectNamed = (word: string): PanelSubject =>
  SUBJECTS[word] ?? { kind: 'preset', id: 'movers_volume_z' }

/** A duration in the largest unit that gives a short number. */
function cadenceOf(seconds: number): Pick<PanelDraft, 'every' | 'unit'> {
  const unit = UNITS.toReversed().find((candidate) => seconds % SECONDS[candidate] === 0) ?? 's'
  return { every: String(Math.round((seconds / SECONDS[unit]) * 10) / 10), unit }
}

/** An empty draft. @param floor the tier's minimum seconds between refreshes */
export function blankDraft(floor: number, word = 'movers'): PanelDraft {
  return {
    subject: word,
    title: '',
    visualization: defaultVisualization(subjectNamed(word)),
    isManual: false,
    ...cadenceOf(Math.max(floor, 60)),
    minPercent: '',
    maxPercent: '',
    window: '24h',
    tickers: '',
  }
}

const percentText = (share: number | undefined): string =>
  share === undefined ? '' : String(Math.round(share * 1e6) / 1e4)

/** A panel as a draft. */
export function draftOf({ title, spec, refreshFloorSeconds }: Panel): PanelDraft {
  const { probability, window, tickers } = spec.filters ?? {}
  const minutes = spec.schedule?.cadenceMinutes
  const blank = blankDraft(refreshFloorSeconds, wordOf(subjectOf(spec)))
  return {
    ...blank,
    title,
    visualization: spec.display.visualization,
    window: window ?? '24h',
    isManual: spec.schedule?.mode !== 'interval',
    ...(minutes !== undefined && cadenceOf(Math.round(minutes * 600) / 10)),
    minPercent: percentText(probability?.min),
    maxPercent: percentText(probability?.max),
    tickers: (tickers ?? []).join(', '),
  }
}

const SPAN_UNITS: Readonly<Record<string, readonly [number, Unit]>> = {
  s: [1, 's'],
  m: [1, 'min'],
  h: [1, 'h'],
  d: [24, 'h'],
}

/** A draft with the values of a command. */
export function withCommand(draft: PanelDraft, { args, filters, flags }: Command): PanelDraft {
  const word = args['show'] ?? draft.subject
  const next: PanelDraft = {
    ...draft,
    subject: word,
    ...(word !== draft.subject && { visualization: defaultVisualization(subjectNamed(word)) }),
    ...(flags.includes('manual') && { isManual: true }),
  }
  for (const { name, operator, value } of filters) {
    if (name === 'probability' && value.kind === 'range') {
      next.minPercent = percentText(value.from)
      next.maxPercent = percentText(value.to)
    } else if (name === 'probability' && value.kind === 'number') {
      if (operator !== '<' && operator !== '<=') next.minPercent = percentText(value.value)
      if (operator !== '>' && operator !== '>=') next.maxPercent = percentText(value.value)
    }
    if (value.kind !== 'text') continue
    const { text } = value
    if (name === 'title') next.title = text
    if (name === 'tickers') next.tickers = text
    if (name === 'as') next.visualization = text as Visualization
    if (name === 'window') next.window = WINDOWS.find((window) => window === text) ?? next.window
    const [factor, unit] = SPAN_UNITS[text.at(-1) ?? ''] ?? [1, 'min']
    if (name === 'every') {
      next.isManual = false
      next.every = String(Number(text.slice(0, -1)) * factor)
      next.unit = unit
    }
  }
  return next
}

/** A typed number; not a number for other text, so that the service rejects its field. */
const numberOf = (text: string): number => typedNumber(text) ?? Number.NaN

/** The spec of a draft as sent. Nothing is validated here: the service returns the errors. */
export function specOf(draft: PanelDraft): PanelSpec {
  const subject = subjectNamed(draft.subject)
  const filterSupport = filterSupportOf(subject)
  const tickers = draft.tickers.split(/[\s,;]+/).filter((ticker) => ticker !== '')
  const probability = {
    ...(draft.minPercent.trim() !== '' && { min: numberOf(draft.minPercent) / 100 }),
    ...(draft.maxPercent.trim() !== '' && { max: numberOf(draft.maxPercent) / 100 }),
  }
  const filters = {
    ...(filterSupport === 'all' && Object.keys(probability).length > 0 && { probability }),
    ...(filterSupport === 'all' && draft.window !== '24h' && { window: draft.window }),
    ...(filterSupport !== 'none' && tickers.length > 0 && { tickers }),
  }
  return {
    version: 1,
    ...(subject.kind === 'preset'
      ? { kind: 'preset', preset: { id: subject.id } }
      : { kind: 'screen', sources: [subject.id] }),
    ...(Object.keys(filters).length > 0 && { filters }),
    display: { visualization: draft.visualization },
    schedule: draft.isManual
      ? { mode: 'manual' }
      : {
          mode: 'interval',
          cadenceMinutes: (numberOf(draft.every) * SECONDS[draft.unit]) / 60,
        },
  }
}

export interface PanelBody {
  readonly title?: string
  readonly spec?: PanelSpec
}

/** The body that adds a panel. */
export const additionOf = (draft: PanelDraft): PanelBody => ({
  ...(draft.title.trim() !== '' && { title: draft.title }),
  spec: specOf(draft),
})

/** The body that changes a panel: only the differences, because a new spec resets its runs. */
export function changeOf(panel: Panel, draft: PanelDraft): PanelBody {
  const title = draft.title.trim() === '' ? nameOf(subjectNamed(draft.subject)) : draft.title
  const previous = specOf(draftOf(panel))
  const spec = specOf(draft)
  return {
    ...(title.trim() !== panel.title && { title }),
    ...(JSON.stringify(spec) !== JSON.stringify(previous) && { spec }),
  }
}

/** Effect of submitting the form, as a sentence. */
export function draftSentence(draft: PanelDraft, isNew: boolean): string {
  const name = draft.title.trim() === '' ? nameOf(subjectNamed(draft.subject)) : draft.title.trim()
  const schedule = draft.isManual
    ? 'refreshed manually'
    : `every ${draft.every || '…'} ${draft.unit}`
  return `${isNew ? 'Adds' : 'Saves'} “${name}” as a ${draft.visualization}, ${schedule}.`
}
