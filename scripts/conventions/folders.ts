/** Maximum number of product files directly in one folder. */
export const MAX_FILES = 25

const PRODUCT = /^(backend|renderer|electron)\//
const TEST = /\.test\.ts$|\/(testing|fixtures|migrations)\//

/** Folders with more than `MAX_FILES` product files directly in them, tests not counted. */
export function crowdedFolders(paths: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (!PRODUCT.test(path) || TEST.test(path)) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, files]) => files > MAX_FILES)
    .map(([folder, files]) => ({ folder, files }))
}
