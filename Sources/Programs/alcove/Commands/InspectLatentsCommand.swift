import Assistant

extension Command {
  static let inspectLatents = Command(
    name: "latents", surface: .shell, summary: "write the latents that a diffusion model makes of noise",
    details: """
      The initial noise is a tensor (1, channels, height / 8, width / 8) of a safetensors file, with standard \
      deviation 1; without it noise is made from the seed. The output has the same shape, float32, little-endian. \
      Products are exact unless --fast is given; --picture also writes the decoded picture, (3, height, width) from \
      -1 to 1.
      """,
    arguments: [Argument(name: "MODEL", kind: .path)],
    options: [
      Option(name: "prompt", value: ("TEXT", .text), help: "prompt"),
      Option(name: "negative", value: ("TEXT", .text), help: "negative prompt"),
      Option(name: "steps", value: ("N", .integer(1...1000)), help: "number of steps (20)"),
      Option(
        name: "guidance", value: ("X", .text), help: "guidance scale: how closely the prompt is followed (7.5)"),
      Option(name: "scheduler", value: ("NAME", .text), help: "\(schedulerNames) (dpmpp_2m)"),
      Option(name: "size", value: ("WxH", .text), help: "multiples of 64 from 128 (512x512)"),
      Option(name: "seed", value: ("N", .text), help: "seed of the noise (0)"),
      Option(
        name: "rng", value: ("NAME", .choice(InspectedLatents.noises)),
        help: "program whose noise is "
          + "reproduced (torch)"),
      Option(name: "initial", value: ("FILE:KEY", .text), help: "tensor to take as initial noise"),
      Option(name: "out", value: ("FILE", .path), help: "file for the latents"),
      Option(name: "picture", value: ("FILE", .path), help: "file for the decoded picture"),
      Option(name: "vae", value: ("PATH", .path), help: "autoencoder to use instead of the model's"),
      Option(name: "lora-folder", value: ("FOLDER", .path), help: "folder in which <lora:name:0.8> is looked up"),
      Option(name: "threads", value: ("N", .integer(1...1024)), help: "number of threads"),
      Option(name: "fast", help: "compute products with BF16 factors"),
    ],
    examples: [
      "alcove inspect latents models/sd15 --prompt 'a lighthouse' --steps 8 --scheduler euler --size 128x128 "
        + "--out out.f32"
    ]
  ) { invocation, program in
    var latents = try InspectedLatents(latents: invocation)
    let output = try invocation.required("out", isOption: true)
    let installation = try Installation(environment: program.environment)
    if let place = invocation.value("initial") {
      guard let colon = place.lastIndex(of: ":") else {
        throw UsageError(message: "--initial takes FILE.safetensors:KEY, not '\(place)'", path: invocation.path)
      }
      try latents.readNoise(
        from: String(place[..<colon]), tensor: String(place[place.index(after: colon)...]))
    }
    let engine = InspectedLatents.Engine(
      path: try invocation.required("MODEL"), threadCount: invocation.integer("threads"),
      isFast: invocation.has("fast"), autoencoder: invocation.value("vae"),
      loraFolder: invocation.value("lora-folder"))
    try await latents.write(to: output, picture: invocation.value("picture"), by: engine, installation)
    return .ok
  }

  private static let schedulerNames = InspectedLatents.schedulers.joined(separator: ", ")
}

extension InspectedLatents {
  /// Takes the request of `inspect latents` from its options.
  fileprivate init(latents invocation: Invocation) throws {
    try self.init(
      prompt: try invocation.required("prompt", isOption: true), negativePrompt: invocation.value("negative"),
      size: invocation.value("size"), steps: invocation.integer("steps"), noise: invocation.value("rng"))
    if let text = invocation.value("guidance") {
      guard let number = Double(text), number.isFinite else {
        throw UsageError(message: "--guidance takes a number, not '\(text)'", path: invocation.path)
      }
      guidance = number
    }
    if let name = invocation.value("scheduler") {
      guard Self.knowsScheduler(name) else {
        throw UsageError(
          message: "--scheduler is one of \(Self.schedulers.joined(separator: ", ")), not '\(name)'",
          path: invocation.path)
      }
      use(scheduler: name)
    }
    if let text = invocation.value("seed") {
      guard let number = UInt64(text) else {
        throw UsageError(message: "--seed takes a whole number from 0, not '\(text)'", path: invocation.path)
      }
      seed = number
    }
  }
}
