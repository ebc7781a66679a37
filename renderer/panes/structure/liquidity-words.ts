import type { ThemeLiquidity } from '../../api/context-types.ts'
import { formatNumber, formatVolume, MISSING } from '../../lib/format.ts'

/** Percent of colour for a change of volume: doubling or halving is the most that is shown. */
export function heatOf(changePct: number | null): number {
  if (changePct === null) return 0
  return Math.round(Math.min(1, Math.abs(changePct) / 100) * 30)
}

/** A change of volume against the day before with its sign: `+12%`. */
export function changeText(changePct: number | null): string {
  if (changePct === null) return MISSING
  const text = formatNumber(changePct, 0)
  return changePct > 0 ? `+${text}%` : `${text}%`
}

/** The map in a sentence, for those who do not see it. */
export function liquiditySentence(themes: readonly ThemeLiquidity[]): string {
  const total = themes.reduce((sum, { volume24hUsd }) => sum + (volume24hUsd ?? 0), 0)
  const [first] = themes
  if (themes.every(({ volume24hUsd }) => volume24hUsd === null)) {
    return 'What was traded in 24 hours is not known yet'
  }
  if (first === undefined || total === 0) return 'Nothing was traded in 24 hours'
  const share = formatNumber(((first.volume24hUsd ?? 0) / total) * 100, 0)
  return `${formatVolume(total, 'usd')} traded in 24 hours over ${themes.length} themes; ${first.label} has ${share}% of it`
}
