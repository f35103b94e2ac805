import Diffusion
import Foundation
import Images
import TestSupport
import Testing

/// Engine compared with diffusers, in F32 on the stored F16 weights.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct DiffusionReferenceTests {
  @Test(arguments: DiffusionReference.names)
  func readsPromptsAsTheReference(name: String) async throws {
    let reference = try DiffusionReference(name)
    let texts = try await reference.engine().readTexts(
      DiffusionReference.prompt, negative: DiffusionReference.negative)
    for encoder in texts.tokens.indices {
      #expect(texts.tokens[encoder] == (try reference.integers("prompt_ids")))
      #expect(texts.negativeTokens[encoder] == (try reference.integers("negative_ids")))
    }
    let bound = 1e-8
    #expect(normalizedError(texts.prompt, try reference.floats("prompt_embeds")) < bound)
    #expect(normalizedError(texts.negative, try reference.floats("negative_embeds")) < bound)
    if name == "tiny-sdxl" {
      #expect(normalizedError(texts.pooled, try reference.floats("pooled")) < bound)
      #expect(normalizedError(texts.negativePooled, try reference.floats("negative_pooled")) < bound)
    }
  }

  @Test func evaluatesTheNetworkAsTheReference() async throws {
    let reference = try DiffusionReference("tiny-sd15")
    let output = try await reference.engine().networkOutput(
      reference.floats("initial_latents"), time: 500, prompt: DiffusionReference.prompt, width: 128, height: 128)
    let error = normalizedError(output, try reference.floats("unet_t500"))
    #expect(error < 1e-8)
  }

  @Test(arguments: DiffusionReference.names, DiffusionReference.schedulers)
  func samplesAsTheReference(name: String, scheduler: SchedulerKind) async throws {
    let reference = try DiffusionReference(name)
    let latents = try await reference.engine().latents(
      reference.request(scheduler), initial: reference.floats("initial_latents"))
    let error = normalizedError(latents, try reference.floats("\(scheduler.rawValue).final_latents"))
    #expect(error < 1e-6)
  }

  @Test(arguments: DiffusionReference.names)
  func decodesAsTheReference(name: String) async throws {
    let reference = try DiffusionReference(name)
    let pixels = try await reference.engine().decoded(
      reference.floats("dpmpp_2m.final_latents"), width: 128, height: 128)
    let planes = try reference.floats("dpmpp_2m.image")
    let expected = (0..<128 * 128).flatMap { pixel in (0..<3).map { planes[$0 * 128 * 128 + pixel] } }
    let error = normalizedError(pixels, expected)
    #expect(error < 1e-6)
  }

  /// BF16 keeps 8 bits of an operand: an error of 2⁻⁹ in each, of which rounding leaves about 1e-5 of the square
  /// after one pass. Eight guided steps amplify it by up to the square of the guidance.
  @Test(arguments: DiffusionReference.names, DiffusionReference.schedulers)
  func staysCloseInHalfPrecision(name: String, scheduler: SchedulerKind) async throws {
    let reference = try DiffusionReference(name)
    let latents = try await reference.engine(.fast).latents(
      reference.request(scheduler), initial: reference.floats("initial_latents"))
    let error = normalizedError(latents, try reference.floats("\(scheduler.rawValue).final_latents"))
    #expect(error < 1e-2)
  }

  @Test func threadsChangeNoBit() async throws {
    let reference = try DiffusionReference("tiny-sdxl")
    let noise = try reference.floats("initial_latents")
    var request = reference.request(.dpmPlusPlus)
    request.steps = 2
    for precision in [DiffusionSettings.Precision.exact, .fast] {
      let one = try await reference.engine(precision, threads: 1).latents(request, initial: noise)
      let three = try await reference.engine(precision, threads: 3).latents(request, initial: noise)
      #expect(one == three)
    }
  }
}
