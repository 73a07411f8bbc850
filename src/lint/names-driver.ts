import { driverPackages } from '../../rules/model/drivers.ts';

/** The name as a text of its own, perhaps with a version or a file of the package: `"pg"`, `'npm:pg@8'`, `"@types/pg"`, `'mysql2/promise'`. */
const driver = new RegExp(`["'\`](?:npm:)?(?:@types/)?(?:${[...driverPackages].join('|')})(?=["'\`/@])`, 'u');

/** Whether a source file, or a package.json, names a pool driver: a look at words, for places that cannot afford more. */
export function namesDriver(text: string): boolean {
  return driver.test(text);
}
