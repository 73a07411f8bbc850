/** The program and the libraries among the packages that apt would install. */
export function missingPackages(simulation: string): readonly string[];
