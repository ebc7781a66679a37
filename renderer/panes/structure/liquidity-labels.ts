import type { ThemeLiquidity } from '../../../backend/contract/indices.ts'
import { formatNumber, formatVolume, MISSING } from '../../lib/format.ts'

/** Colour intensity in percent for a change of volume; saturates at doubling or halving. */
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

/** The map in a sentence, for screen readers. */
export function liquiditySentence(themes: readonly ThemeLiquidity[]): string {
  const total = themes.reduce((sum, { volume24hUsd }) => sum + (volume24hUsd ?? 0), 0)
  const [first] = themes
  if (themes.every(({ volume24hUsd }) => volume24hUsd === null)) {
    return 'The 24-hour volume is not known yet'
  }
  if (first === undefined || total === 0) return 'No trades in 24 hours'
  const share = formatNumber(((first.volume24hUsd ?? 0) / total) * 100, 0)
  return `${formatVolume(total, 'usd')} traded in 24 hours over ${themes.length} themes; ${first.label} has ${share}% of it`
}
