/**
 * A typed number: `1,234.5` with commas between thousands, or `10,5` with a decimal comma; null for
 * other text.
 */
export function typedNumber(text: string): number | null {
  const trimmed = text.trim().replace('−', '-')
  const isGrouped = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed)
  const value = Number(isGrouped ? trimmed.replaceAll(',', '') : trimmed.replace(',', '.'))
  return trimmed === '' || !Number.isFinite(value) ? null : value
}
