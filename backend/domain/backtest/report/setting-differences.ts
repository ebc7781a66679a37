import type { RunReport } from './report.ts'

/** Settings that two runs do not share. */
export interface SettingDifferences {
  /** What a comparison is about: the strategy, or its parameters. */
  readonly strategy: readonly string[]
  /** Conditions of the runs; figures under different conditions are not comparable. */
  readonly conditions: readonly string[]
}

const MISSING = '–'

export function settingDifferences(first: RunReport, second: RunReport): SettingDifferences {
  const names = new Set([...Object.keys(first.params), ...Object.keys(second.params)])
  const paramText = ({ params }: RunReport, name: string): string =>
    Object.hasOwn(params, name) ? String(params[name]) : MISSING
  return {
    strategy:
      first.strategy === second.strategy
        ? [...names]
            .filter((name) => paramText(first, name) !== paramText(second, name))
            .map((name) => `${name} (${paramText(first, name)} and ${paramText(second, name)})`)
        : ['the strategy'],
    conditions: [
      ...(first.from === second.from && first.to === second.to ? [] : ['the range']),
      ...(first.scope === second.scope ? [] : [`the markets (${first.scope} and ${second.scope})`]),
      ...(first.startCash === second.startCash ? [] : ['the starting cash']),
      ...(first.seed === second.seed ? [] : ['the seed']),
      ...(JSON.stringify(first.model) === JSON.stringify(second.model) ? [] : ['the fill model']),
      ...engineDifferences(first.engine, second.engine),
    ],
  }
}

/** An unknown version may differ from any other one. */
function engineDifferences(first: number | undefined, second: number | undefined): string[] {
  if (first === undefined && second === undefined) return ['possibly the engine version (unknown)']
  if (first === second) return []
  return [`the engine version (${first ?? 'unknown'} and ${second ?? 'unknown'})`]
}

/** Why figures of two runs are not comparable; null when they are. */
export function incomparableText({ strategy, conditions }: SettingDifferences): string | null {
  if (conditions.length === 0) return null
  const all = [...strategy, ...conditions].join(', ')
  return `They differ in ${all}, so their figures are not comparable.`
}
