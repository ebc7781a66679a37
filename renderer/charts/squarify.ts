/** A rectangle in the unit of the area it fills. */
export interface Tile {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The worst aspect ratio of tiles with these areas laid along `side`. */
function worstRatio(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0)
  const max = Math.max(...areas)
  const min = Math.min(...areas)
  return Math.max((side * side * max) / (sum * sum), (sum * sum) / (side * side * min))
}

/**
 * Tiles of a treemap with areas proportional to the weights, as square as possible (Bruls, Huizing
 * and van Wijk, 2000). They fill the area in the order of the weights.
 * @param weights descending, each above 0
 */
export function squarify(weights: readonly number[], bounds: Tile): readonly Tile[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0 || bounds.width <= 0 || bounds.height <= 0) return []
  const scale = (bounds.width * bounds.height) / total
  const areas = weights.map((weight) => weight * scale)
  const tiles: Tile[] = []
  let freeArea = bounds
  let start = 0
  while (start < areas.length) {
    const side = Math.min(freeArea.width, freeArea.height)
    let end = start + 1
    while (
      end < areas.length &&
      worstRatio(areas.slice(start, end + 1), side) <= worstRatio(areas.slice(start, end), side)
    ) {
      end += 1
    }
    const row = areas.slice(start, end)
    const sum = row.reduce((all, area) => all + area, 0)
    const isColumn = freeArea.width >= freeArea.height
    const depth = sum / side
    let offset = 0
    for (const area of row) {
      const length = area / depth
      tiles.push(
        isColumn
          ? { x: freeArea.x, y: freeArea.y + offset, width: depth, height: length }
          : { x: freeArea.x + offset, y: freeArea.y, width: length, height: depth },
      )
      offset += length
    }
    freeArea = isColumn
      ? { ...freeArea, x: freeArea.x + depth, width: freeArea.width - depth }
      : { ...freeArea, y: freeArea.y + depth, height: freeArea.height - depth }
    start = end
  }
  return tiles
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The adjacent tile in a direction; null at the edge. */
export function tileBeside(
  tiles: readonly Tile[],
  from: number,
  direction: Direction,
): number | null {
  const start = tiles[from]
  if (start === undefined) return null
  const centreOf = ({ x, y, width, height }: Tile) => ({ x: x + width / 2, y: y + height / 2 })
  const origin = centreOf(start)
  const isHorizontal = direction === 'left' || direction === 'right'
  const sign = direction === 'right' || direction === 'down' ? 1 : -1
  const candidates = tiles.flatMap((tile, index) => {
    const centre = centreOf(tile)
    const distance = sign * (isHorizontal ? centre.x - origin.x : centre.y - origin.y)
    const offset = Math.abs(isHorizontal ? centre.y - origin.y : centre.x - origin.x)
    return index === from || distance <= 1e-9 ? [] : [{ index, cost: distance + 2 * offset }]
  })
  return candidates.toSorted((left, right) => left.cost - right.cost)[0]?.index ?? null
}
